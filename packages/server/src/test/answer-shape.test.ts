import { atLevel, type Endpoint, endpoints } from '@tessera/protocol';
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

describe('control 89: fields for servers are not declared for clients', () => {
  const secretWords = /password_hash|server_metadata|secret|refresh_token_hash|totp_secret/;
  /** Responses with a secret that the caller is entitled to, and the projects of an owner. */
  const handsOut = ({ tag, path }: Endpoint) =>
    tag === 'Sign-in' || tag === 'Sessions' || path === '/internal/projects';

  test.each(table.filter(([, endpoint]) => !handsOut(endpoint)))('%s', (_, endpoint) => {
    if (endpoint.access === 'server' || endpoint.access === 'admin') return;
    const declared = z.toJSONSchema(atLevel<z.ZodType>(endpoint.response, 'client'), { unrepresentable: 'any' });
    expect(JSON.stringify(declared.properties ?? declared)).not.toMatch(secretWords);
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
