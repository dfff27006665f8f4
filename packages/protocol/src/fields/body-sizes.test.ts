import { expect, test } from 'vitest';
import * as z from 'zod';
import { accessLevels, atLevel } from '../access/access.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { bodyMaxBytes, metadataMaxBytes } from '../limits.ts';

interface Schema {
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The characters of the longest texts that a schema accepts. A text without a maximum in the schema counts as none. */
function longest(schema: Schema, name: string): number {
  if (name.endsWith('_metadata')) return metadataMaxBytes;
  const { maxLength = 0, maxItems = 1, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  const ofProperties = Object.entries(properties).map(([key, value]) => longest(value, key));
  const ofItems = items === undefined ? 0 : maxItems * longest(items, name);
  const ofOptions = [...anyOf, ...oneOf, ...allOf].map(option => longest(option, name));
  return maxLength + ofItems + ofProperties.reduce((sum, one) => sum + one, 0) + Math.max(0, ...ofOptions);
}

function longestBody({ body }: Endpoint): number {
  if (body === undefined) return 0;
  const schemas = accessLevels.map(level =>
    z.toJSONSchema(atLevel(body, level), { io: 'input', unrepresentable: 'any' }),
  );
  return Math.max(...schemas.map(schema => longest(schema as Schema, 'body')));
}

const all: readonly Endpoint[] = endpoints;

test('the valid bodies of an endpoint without `largeBody` are far below the limit of its body', () => {
  const small = all.filter(({ largeBody }) => largeBody !== true);
  const long = small.filter(endpoint => longestBody(endpoint) > bodyMaxBytes / 2);
  expect(long.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('only endpoints that require a project key or a session take a large body', () => {
  const open = all.filter(({ largeBody, access }) => largeBody === true && access === 'none');
  expect(open).toEqual([]);
});
