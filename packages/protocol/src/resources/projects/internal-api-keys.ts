import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { listOf, millis, noQuery, uuid } from '../../fields/fields.ts';
import { descriptionMaxLength, ownerRecentSignInMs } from '../../limits.ts';

const fields = {
  id: uuid,
  description: z.string(),
  expires_at_millis: millis,
  created_at_millis: millis,
  manually_revoked_at_millis: millis.optional(),
};

const masked = z.strictObject({ last_four: z.string() }).optional();
const secret = z.string().optional().meta({ description: 'The key itself: shown this once.' });

/**
 * docs/contract/api-keys.md#internal-api-keys: a set of keys with which an app calls this service. Keys that the set does
 * not have are absent.
 */
const keySet = z.strictObject({
  ...fields,
  publishable_client_key: masked,
  secret_server_key: masked,
  super_secret_admin_key: masked,
});

const createdKeySet = z.strictObject({
  ...fields,
  publishable_client_key: secret,
  secret_server_key: secret,
  super_secret_admin_key: secret,
});

const params = z.strictObject({ id: uuid });

export const internalApiKeyEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/internal/api-keys',
    access: 'admin',
    recentSignInWithinMs: ownerRecentSignInMs,
    query: noQuery,
    body: z.strictObject({
      description: z.string().max(descriptionMaxLength),
      expires_at_millis: millis,
      has_publishable_client_key: z.boolean(),
      has_secret_server_key: z.boolean(),
      has_super_secret_admin_key: z.boolean(),
    }),
    response: createdKeySet,
    recordsItsChange: true,
    summary: 'Create a key set of the project; its keys are returned only once',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND'],
  }),
  listUses: endpoint({
    method: 'GET',
    path: '/internal/extensions/key-set-uses',
    access: 'admin',
    query: noQuery,
    response: listOf(
      z.strictObject({
        id: uuid,
        last_used_at_millis: millis
          .nullable()
          .meta({ description: 'When a key of the set was last accepted, to the minute; null if never.' }),
      }),
    ),
    summary: 'List when each key set was last used, newest set first',
    tag: 'extension',
    errors: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/internal/api-keys',
    access: 'admin',
    query: noQuery,
    response: listOf(keySet),
    summary: 'List the key sets of the project, newest first',
    tag: 'Projects',
    errors: [],
  }),
  read: endpoint({
    method: 'GET',
    path: '/internal/api-keys/{id}',
    access: 'admin',
    params,
    query: noQuery,
    response: keySet,
    summary: 'Read a key set of the project',
    tag: 'Projects',
    errors: ['API_KEY_NOT_FOUND'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/internal/api-keys/{id}',
    access: 'admin',
    params,
    query: noQuery,
    body: z.strictObject({
      description: z.string().max(descriptionMaxLength).optional(),
      revoked: z.literal(true).optional(),
    }),
    response: keySet,
    recordsItsChange: true,
    summary: 'Change the description of a key set, or revoke it',
    tag: 'Projects',
    errors: ['API_KEY_NOT_FOUND'],
  }),
};
