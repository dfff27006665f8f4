import { type AccessLevel, accessLevels, atLevel, type Endpoint, endpoints } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const table = endpoints.map(one => [`${one.method} ${one.path}`, one] as const);

/** The paths of objects in a schema that accept undeclared keys. */
function looseObjects(schema: z.core.$ZodType, path: string): string[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object': {
      const isStrict = def.catchall !== undefined && def.catchall._zod.def.type === 'never';
      const inside = Object.entries(def.shape).flatMap(([key, field]) => looseObjects(field, `${path}.${key}`));
      return isStrict ? inside : [path, ...inside];
    }
    case 'array':
      return looseObjects(def.element, `${path}[]`);
    case 'union':
      return def.options.flatMap((option, index) => looseObjects(option, `${path}|${index}`));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return looseObjects(def.innerType, path);
    default:
      return [];
  }
}

/** The only response that is declared elsewhere: by the OpenAPI specification. */
const describedElsewhere = new Set(['GET /openapi.json']);

describe('every response schema is strict, so that an undeclared key fails the response check', () => {
  test.each(table.filter(([route]) => !describedElsewhere.has(route)))('%s', (_, endpoint) => {
    for (const level of ['client', 'server', 'admin'] as const) {
      expect(looseObjects(atLevel<z.ZodType>(endpoint.response, level), level)).toEqual([]);
    }
  });
});

/** The names of all fields in a JSON schema. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(fieldNames)];
}

function responseFields(endpoint: Endpoint, level: AccessLevel): string[] {
  const declared = z.toJSONSchema(atLevel<z.ZodType>(endpoint.response, level), { unrepresentable: 'any' });
  return [...new Set(fieldNames(declared))];
}

const ranks: Record<Endpoint['access'], number> = { none: 0, client: 0, server: 1, admin: 2 };
const mayCall = (level: AccessLevel, { access }: Endpoint) => ranks[level] >= ranks[access];

describe('control 89: a response at level client declares no field of the server tier', () => {
  test.each(table.filter(([, endpoint]) => mayCall('client', endpoint)))('%s', (_, endpoint) => {
    expect(responseFields(endpoint, 'client')).not.toContain('server_metadata');
  });
});

describe('control 89: only the listed endpoints return a token, a key or a secret, at every level', () => {
  const isSecret = (name: string) => /(?:^|_)(?:token|password|key)$|secret|hash|private/.test(name);
  const isFlag = (name: string) => name === 'has_password';

  const tokens = ['access_token', 'refresh_token'];
  const projectSecrets = ['client_secret', 'password'];
  const keys = ['publishable_client_key', 'secret_server_key', 'super_secret_admin_key'];
  const entitled: Readonly<Record<string, readonly string[]>> = {
    // A new session.
    'POST /auth/password/sign-up': tokens,
    'POST /auth/password/sign-in': tokens,
    'POST /auth/otp/sign-in': tokens,
    'POST /auth/mfa/sign-in': tokens,
    'POST /auth/passkey/sign-in': tokens,
    'POST /auth/anonymous/sign-up': tokens,
    'POST /auth/oauth/token': tokens,
    'POST /auth/sessions': tokens,
    'POST /auth/sessions/current/refresh': tokens,
    'POST /auth/cli/poll': ['refresh_token'],
    'POST /extensions/recovery-codes/sign-in': tokens,
    'POST /extensions/first-owner': tokens,
    'POST /internal/extensions/users/{user_id}/impersonations': tokens,
    'POST /extensions/project-invitations/sign-up': tokens,
    // The token of a provider, for its user.
    'POST /connected-accounts/{user_id}/{provider_id}/access-token': ['access_token'],
    'POST /auth/oauth/connected-accounts/{provider_id}/access-token': ['access_token'],
    // Settings, for the owner of a project.
    'GET /internal/projects': projectSecrets,
    'POST /internal/projects': projectSecrets,
    'GET /internal/projects/current': projectSecrets,
    'PATCH /internal/projects/current': projectSecrets,
    'POST /webhooks/svix-token': ['token'],
    // The whole key at its creation, its last characters later.
    'POST /internal/api-keys': keys,
    'GET /internal/api-keys': keys,
    'GET /internal/api-keys/{id}': keys,
    'PATCH /internal/api-keys/{id}': keys,
  };

  test.each(table)('%s', (route, endpoint) => {
    for (const level of accessLevels.filter(one => mayCall(one, endpoint))) {
      const secrets = responseFields(endpoint, level).filter(name => isSecret(name) && !isFlag(name));
      expect(secrets.sort(), level).toEqual([...(entitled[route] ?? [])].sort());
    }
  });

  test('the list has no endpoint that does not exist', () => {
    const routes = new Set<string>(table.map(([route]) => route));
    expect(Object.keys(entitled).filter(route => !routes.has(route))).toEqual([]);
  });
});

describe('control 90: every declared body and query is strict', () => {
  const lenient = new Set([
    // RFC 6749 requires that unknown parameters are ignored.
    'POST /auth/oauth/token',
    // Providers send additional parameters.
    'GET /auth/oauth/callback/{provider_id}',
    'POST /auth/oauth/callback/{provider_id}',
    // A link in an email: mail programs append parameters of their own.
    'GET /emails/unsubscribe-link',
    'POST /emails/unsubscribe-link',
  ]);

  test.each(table.filter(([route]) => !lenient.has(route)))('%s', (_, endpoint) => {
    for (const level of ['client', 'server', 'admin'] as const) {
      for (const part of ['params', 'query', 'body'] as const) {
        const declared = endpoint[part];
        if (declared === undefined) continue;
        expect(looseObjects(atLevel<z.ZodType>(declared, level), `${level} ${part}`)).toEqual([]);
      }
    }
  });
});
