import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { credentialErrors, listOf, millis, noQuery, success, userIdOrMe, uuid } from '../fields/fields.ts';
import { apiKeyDescriptionMaxLength, apiKeyScopeMaxLength, apiKeyScopesMax } from '../limits.ts';

/** The owner type of a key: user or team. */
export type ApiKeyKind = 'user' | 'team';

/** docs/contract/api-keys.md#scopes: the characters of a permission id. */
const scopes = z
  .array(
    z
      .string()
      .max(apiKeyScopeMaxLength)
      .regex(/^[a-z0-9_:]+$/, 'must consist of the characters a-z, 0-9, _ and :')
      .meta({ example: 'invoices:read' }),
  )
  .min(1)
  .max(apiKeyScopesMax)
  .refine(items => new Set(items).size === items.length, 'must not contain a scope twice');

const fields = {
  id: uuid,
  description: z.string(),
  is_public: z.boolean(),
  created_at_millis: millis,
  expires_at_millis: millis.optional(),
  manually_revoked_at_millis: millis.optional(),
  scopes: scopes
    .optional()
    .meta({ description: 'Extension: what the key is limited to. Absent from a key without scopes.' }),
};

const masked = z.strictObject({ last_four: z.string().length(4) });
const secret = z.string().meta({ description: 'The key itself: shown this once.' });

const userFields = { ...fields, type: z.literal('user'), user_id: uuid };
const teamFields = { ...fields, type: z.literal('team'), team_id: uuid };

/** docs/contract/api-keys.md#key-object */
const userApiKey = z.strictObject({ ...userFields, value: masked });
const teamApiKey = z.strictObject({ ...teamFields, value: masked });

const expiry = millis.nullable().meta({ description: 'Milliseconds since the epoch; null and 0 mean never.' });

const description = z.string().max(apiKeyDescriptionMaxLength);

const creation = {
  description,
  expires_at_millis: expiry,
  is_public: z.boolean().optional().meta({ description: 'Meant to be seen, so that finding it does not revoke it.' }),
  scopes: scopes
    .optional()
    .meta({ description: 'Extension: limits the key. The limit cannot be changed. Without it the key has no limit.' }),
};

const changes = z.strictObject({
  description: description.optional(),
  expires_at_millis: expiry.optional(),
  revoked: z.literal(true).optional(),
});

const presented = z.strictObject({ api_key: z.string() });
const checked = z.strictObject({
  ...presented.shape,
  scopes: scopes.optional().meta({ description: 'Extension: the key must have all of them, or no limit.' }),
});
const params = z.strictObject({ id: uuid });

const checkErrors = [
  'API_KEY_NOT_FOUND',
  'WRONG_API_KEY_TYPE',
  'API_KEY_REVOKED',
  'API_KEY_EXPIRED',
  'API_KEY_SCOPE_MISSING',
] as const;

/** The differences between the two owner types. */
interface KindOf<Key, Created, Body, Owner, OwnerOrNone> {
  readonly key: Key;
  readonly created: Created;
  readonly body: Body;
  /** Query of the list. */
  readonly owner: Owner;
  /** Query of a single key: only its syntax is checked. */
  readonly ownerOrNone: OwnerOrNone;
}

/** docs/contract/api-keys.md#key-endpoints */
function apiKeyEndpoints<
  const Kind extends ApiKeyKind,
  Key extends z.ZodObject,
  Created extends z.ZodObject,
  Body extends z.ZodObject,
  Owner extends z.ZodObject,
  OwnerOrNone extends z.ZodObject,
>(kind: Kind, { key, created, body, owner, ownerOrNone }: KindOf<Key, Created, Body, Owner, OwnerOrNone>) {
  return {
    create: endpoint({
      method: 'POST',
      path: `/${kind}-api-keys`,
      access: 'client',
      query: noQuery,
      body,
      response: created,
      summary: `Create an API key of a ${kind}`,
      tag: 'API keys',
      errors: [
        'CANNOT_GET_OWN_USER_WITHOUT_USER',
        'USER_AUTHENTICATION_REQUIRED',
        ...credentialErrors,
        ...(kind === 'user' ? (['USER_NOT_FOUND'] as const) : (['API_KEY_NOT_FOUND', 'TEAM_NOT_FOUND'] as const)),
      ],
    }),
    list: endpoint({
      method: 'GET',
      path: `/${kind}-api-keys`,
      access: 'client',
      query: owner,
      response: listOf(key),
      summary: `List the API keys of a ${kind}, newest first`,
      tag: 'API keys',
      errors: [
        'CANNOT_GET_OWN_USER_WITHOUT_USER',
        'USER_AUTHENTICATION_REQUIRED',
        ...(kind === 'team' ? (['API_KEY_NOT_FOUND'] as const) : []),
      ],
    }),
    read: endpoint({
      method: 'GET',
      path: `/${kind}-api-keys/{id}`,
      access: 'client',
      params,
      query: ownerOrNone,
      response: key,
      summary: `Read an API key of a ${kind}`,
      tag: 'API keys',
      errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_AUTHENTICATION_REQUIRED', 'API_KEY_NOT_FOUND'],
    }),
    update: endpoint({
      method: 'PATCH',
      path: `/${kind}-api-keys/{id}`,
      access: 'client',
      params,
      query: ownerOrNone,
      body: changes,
      response: key,
      summary: `Change or revoke an API key of a ${kind}`,
      tag: 'API keys',
      errors: ['CANNOT_GET_OWN_USER_WITHOUT_USER', 'USER_AUTHENTICATION_REQUIRED', 'API_KEY_NOT_FOUND'],
    }),
    check: endpoint({
      method: 'POST',
      path: `/${kind}-api-keys/check`,
      access: 'server',
      ignoresIdempotencyKey: true,
      body: checked,
      response: key,
      summary: `Check an API key of a ${kind}`,
      tag: 'API keys',
      errors: checkErrors,
    }),
  };
}

export const userApiKeyEndpoints = apiKeyEndpoints('user', {
  key: userApiKey,
  created: z.strictObject({ ...userFields, value: secret }),
  body: z.strictObject({ ...creation, user_id: userIdOrMe }),
  owner: z.strictObject({ user_id: userIdOrMe }),
  ownerOrNone: z.strictObject({ user_id: userIdOrMe.optional() }),
});

export const teamApiKeyEndpoints = apiKeyEndpoints('team', {
  key: teamApiKey,
  created: z.strictObject({ ...teamFields, value: secret }),
  body: z.strictObject({ ...creation, team_id: uuid }),
  owner: z.strictObject({ team_id: uuid }),
  ownerOrNone: z.strictObject({ team_id: uuid }),
});

/** docs/contract/api-keys.md#leaked-keys, and the extensions. */
export const apiKeyServiceEndpoints = {
  revokeLeaked: endpoint({
    method: 'POST',
    path: '/integrations/credential-scanning/revoke',
    access: 'none',
    body: presented,
    response: success,
    summary: 'Report an API key that was found in public; it is revoked and its owners get an email',
    tag: 'API keys',
    errors: ['API_KEY_NOT_FOUND', 'PUBLIC_API_KEY_CANNOT_BE_REVOKED', 'API_KEY_EXPIRED'],
  }),
  readUsage: endpoint({
    method: 'GET',
    path: '/internal/extensions/api-key-usage/{id}',
    access: 'admin',
    params,
    query: noQuery,
    response: z.strictObject({
      id: uuid,
      last_used_at_millis: millis
        .nullable()
        .meta({ description: 'When the key was last found valid, to the minute; null if never.' }),
    }),
    summary: 'Read when an API key was last used',
    tag: 'extension',
    errors: [],
  }),
};
