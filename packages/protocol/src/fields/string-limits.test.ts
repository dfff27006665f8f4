import { expect, test } from 'vitest';
import * as z from 'zod';
import { accessLevels, atLevel } from '../access/access.ts';
import { endpoints } from '../endpoints.ts';

/** Strings of bodies without a maximum in the schema. The body as a whole is bounded. */
const exceptions: Readonly<Record<string, string>> = {
  'allowed[]': 'an address or a domain, whose syntax bounds it',
  'blocked[]': 'an address or a domain, whose syntax bounds it',
  api_key: 'looked up by its hash',
  'PATCH /internal/extensions/branding logo_url': 'an image or an address, each bounded',
  'PATCH /internal/projects/current id': 'looked up among permissions and providers',
  'POST /internal/projects id': 'looked up among permissions and providers',
  'POST /users id': 'looked up among providers',
  creator_user_id: 'compared with ids',
  clientVersion: 'only compared',
  code: 'looked up by its hash',
  code_verifier: 'only hashed',
  color: 'six digits',
  login_code: 'looked up by its hash',
  'POST /users password_hash': 'a hash, whose syntax bounds it',
  'PATCH /users/me password_hash': 'a hash, whose syntax bounds it',
  'PATCH /users/{user_id} password_hash': 'a hash, whose syntax bounds it',
  notification_category_name: 'looked up in a fixed list',
  polling_code: 'looked up by its hash',
  redirect_uri: 'compared with the one of the flow',
  refresh_token: 'looked up by its hash',
  scope: 'compared with a fixed list',
  state: 'looked up by its hash',
  totp: 'compared with digits',
  user_id: 'compared with ids',
  'user_ids[]': 'compared with ids',
  'POST /auth/oauth/token client_id': 'compared with the id of the project',
  'POST /auth/oauth/token client_secret': 'looked up by its hash',
};

interface Schema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

function unboundedStrings(schema: Schema, name: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  const isBounded =
    schema.maxLength !== undefined ||
    schema.enum !== undefined ||
    schema.const !== undefined ||
    schema.format === 'uuid';
  return [
    ...([schema.type].flat().includes('string') && !isBounded ? [name] : []),
    ...Object.entries(properties).flatMap(([key, value]) => unboundedStrings(value, key)),
    ...(items === undefined ? [] : unboundedStrings(items, `${name}[]`)),
    ...[...anyOf, ...oneOf, ...allOf].flatMap(part => unboundedStrings(part, name)),
    ...(typeof additionalProperties === 'object' ? unboundedStrings(additionalProperties, `${name}{}`) : []),
  ];
}

const found = endpoints.flatMap(({ method, path, body }) => {
  if (body === undefined) return [];
  return accessLevels.flatMap(level => {
    const schema = z.toJSONSchema(atLevel(body, level), { io: 'input', unrepresentable: 'any' }) as Schema;
    return unboundedStrings(schema, 'body').map(name => ({ name, route: `${method} ${path} ${name}` }));
  });
});

test('every string that a body stores has a maximum', () => {
  const others = found.filter(({ name, route }) => !(name in exceptions) && !(route in exceptions));
  expect(others.map(({ route }) => route)).toEqual([]);
});

test('every exception is needed', () => {
  const needed = new Set(found.flatMap(({ name, route }) => [name, route]));
  expect(Object.keys(exceptions).filter(key => !needed.has(key))).toEqual([]);
});
