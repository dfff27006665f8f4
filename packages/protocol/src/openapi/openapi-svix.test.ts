import { expect, test } from 'vitest';
import { type SvixEndpoint, svixEndpoints } from '../resources/webhooks/svix.ts';
import { openApiDocument } from './openapi.ts';
import { withSvixRoutes } from './openapi-svix.ts';

const table = Object.values<SvixEndpoint>(svixEndpoints);
const base = openApiDocument([], { publicUrl: 'https://auth.example.com', version: '1.0.0' });
const document = withSvixRoutes(base, table);
const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>;
const operations = Object.values(paths).flatMap(path => Object.values(path));

test('every Svix route is in the document once, as an extension with a token', () => {
  expect(operations).toHaveLength(table.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(table.length);
  for (const operation of operations) {
    expect(operation).toMatchObject({ tags: ['extension'], security: [{ SvixToken: [] }] });
  }
});

test('the answers of Svix routes allow fields that a later server adds', () => {
  const closed = operations.filter(({ responses }) =>
    JSON.stringify(responses).includes('"additionalProperties":false'),
  );
  expect(closed.map(({ operationId }) => operationId)).toEqual([]);
});

test('a Svix route is documented as it is declared', () => {
  expect(paths['/app/{app_id}/endpoint/{endpoint_id}/secret/rotate']?.post).toMatchObject({
    operationId: 'svixPostAppAppIdEndpointEndpointIdSecretRotate',
    parameters: [
      { name: 'app_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'endpoint_id', in: 'path', required: true, schema: { type: 'string' } },
    ],
    requestBody: { content: { 'application/json': { schema: { properties: { gracePeriodSeconds: {} } } } } },
    responses: { 204: { description: 'Success' } },
  });
});
