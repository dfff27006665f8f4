import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { millis, uuid } from '../../fields/fields.ts';

/** Why a provider did not complete a test: the causes of docs/contract/oauth.md#test-of-a-provider. */
export const providerTestFailureReasons = [
  'denied',
  'grant',
  'client',
  'scope',
  'hidden_email',
  'no_email',
  'answer',
  'unreachable',
  'expired',
] as const;

const result = z.strictObject({
  provider_id: z.string(),
  account: z
    .strictObject({
      id: z.string().meta({ description: 'The id of the account at the provider.' }),
      email: z.string().nullable(),
      is_email_verified: z.boolean().meta({ description: 'Whether the provider has verified the address.' }),
    })
    .nullable()
    .meta({ description: 'The account that signed in; null when the test failed.' }),
  failure: z
    .strictObject({
      reason: z.enum(providerTestFailureReasons),
      message: z.string().meta({ description: 'The error of the provider, in its own words where it sent some.' }),
    })
    .nullable(),
});

/** Extensions: a sign-in at a provider without a user or a session (docs/contract/oauth.md#test-of-a-provider). */
export const providerTestEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/internal/extensions/oauth-provider-tests',
    access: 'admin',
    body: z.strictObject({ provider_id: z.string().min(1).max(100) }),
    response: z.strictObject({
      url: z.string().meta({ description: 'Open it in a browser within ten minutes. It leads to the provider.' }),
    }),
    summary: 'Begin a test of a provider with its stored keys',
    tag: 'extension',
    errors: ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'],
  }),
  start: endpoint({
    method: 'GET',
    path: '/extensions/oauth-provider-tests/start',
    access: 'none',
    query: z.strictObject({ state: z.string().max(128) }),
    response: z.strictObject({}),
    summary: 'Go to the provider of a test: a redirect (307) to it',
    tag: 'extension',
    errors: ['OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/internal/extensions/oauth-provider-tests/{test_id}',
    access: 'admin',
    role: 'admin',
    params: z.strictObject({ test_id: uuid }),
    response: result.extend({ tested_at_millis: millis }),
    summary: 'Read the result of a test, which only its beginner can',
    tag: 'extension',
    errors: [],
  }),
};
