import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { noQuery } from '../fields/fields.ts';

const anyBody = z.unknown().meta({ description: 'Any JSON.' });

const publicKey = z.strictObject({
  kty: z.literal('EC'),
  alg: z.literal('ES256'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
});

const versionVerdict = z.union([
  z.strictObject({ upToDate: z.literal(true) }),
  z.strictObject({ upToDate: z.literal(false), error: z.string(), severe: z.boolean() }),
]);

/** docs/contract/envelope.md#service-endpoints */
export const serviceEndpoints = {
  root: endpoint({
    method: 'GET',
    path: '/',
    access: 'none',
    query: noQuery,
    response: z.string(),
    produces: 'text',
    summary: 'Greet, and show how the request was authenticated',
    tag: 'Service',
    errors: [],
  }),
  checkVersion: endpoint({
    method: 'POST',
    path: '/check-version',
    access: 'none',
    ignoresIdempotencyKey: true,
    body: z.strictObject({ clientVersion: z.string() }),
    response: versionVerdict,
    summary: 'Compare a client version with the version the server is compatible with',
    tag: 'Service',
    errors: [],
  }),
  checkFeatureSupport: endpoint({
    method: 'POST',
    path: '/check-feature-support',
    access: 'none',
    ignoresIdempotencyKey: true,
    body: anyBody,
    response: z.string(),
    produces: 'text',
    summary: 'Report that a client needs a feature that the server does not have',
    tag: 'Service',
    errors: [],
  }),
  publicKeys: endpoint({
    method: 'GET',
    path: '/projects/{project_id}/.well-known/jwks.json',
    access: 'none',
    params: z.strictObject({
      project_id: z
        .string()
        .meta({ description: 'Any other than the id of a project is not found.', example: 'internal' }),
    }),
    response: z.strictObject({ keys: z.array(publicKey) }),
    cacheControl: 'public, max-age=300',
    summary: 'Public keys of the access tokens of a project (RFC 7517)',
    tag: 'Service',
    errors: [],
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/openapi.json',
    access: 'none',
    response: z.looseObject({ openapi: z.literal('3.1.0') }),
    cacheControl: 'public, max-age=300',
    summary: 'This document',
    tag: 'extension',
    errors: [],
  }),
};
