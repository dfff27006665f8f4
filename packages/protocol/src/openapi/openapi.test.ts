import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { openApiDocument } from './openapi.ts';

const options = { publicUrl: 'https://auth.example.com', version: '1.2.3' };

const low = z.strictObject({ name: z.string() });
const thing = endpoint({
  method: 'PATCH',
  path: '/things/{thing_id}',
  access: 'server',
  params: z.strictObject({ thing_id: z.string() }),
  query: z.strictObject({ verbose: z.boolean().optional() }),
  body: low,
  response: { server: low, admin: low.extend({ secret: z.number() }) },
  status: 201,
  summary: 'Change a thing',
  tag: 'Service',
  errors: ['USER_NOT_FOUND'],
});

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly description: string;
  readonly tags: readonly string[];
}

function operations(document: object): Map<string, Operation> {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}

// Made once: each document takes more than 100 ms.
const whole = openApiDocument(endpoints, options);
const wholeOperations = operations(whole);

describe('the document of one endpoint', () => {
  const { paths } = openApiDocument([thing], options) as { paths: Record<string, Record<string, Operation>> };
  const operation = paths['/things/{thing_id}']?.patch;

  test('describes request and response per level', () => {
    const name = { type: 'string' };
    const object = { type: 'object', properties: { name }, required: ['name'] };
    const forAdmins = {
      ...object,
      title: 'admin',
      properties: { name, secret: { type: 'number' } },
      required: ['name', 'secret'],
    };
    expect(operation).toMatchObject({
      operationId: 'patchThingsThingId',
      summary: 'Change a thing',
      description: 'Access level: server or higher. Known errors: USER_NOT_FOUND.',
      tags: ['Service'],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { ...object, additionalProperties: false } } },
      },
      responses: {
        '201': { content: { 'application/json': { schema: { anyOf: [{ ...object, title: 'server' }, forAdmins] } } } },
        '4XX': { $ref: '#/components/responses/Refused' },
        '5XX': { $ref: '#/components/responses/Failed' },
      },
    });
  });

  test('lists its parameters, without the headers of the caller', () => {
    expect(operation?.parameters.map(({ in: place, name, required }) => [place, name, required])).toEqual([
      ['path', 'thing_id', true],
      ['query', 'verbose', false],
    ]);
  });
});

describe('the security requirements of an operation', () => {
  const securityOf = (route: string) =>
    wholeOperations.get(route)?.security.map(alternative => Object.keys(alternative).join(' '));

  test('are one alternative per key that may call it', () => {
    expect(securityOf('POST /users')).toEqual([
      'AccessType ProjectId SecretServerKey',
      'AccessType ProjectId SuperSecretAdminKey',
      'AccessType ProjectId AdminAccessToken',
    ]);
  });

  test('have the access token of the user where the endpoint takes one', () => {
    expect(securityOf('POST /auth/password/update')).toEqual([
      'AccessType ProjectId PublishableClientKey AccessToken',
      'AccessType ProjectId SecretServerKey AccessToken',
      'AccessType ProjectId SuperSecretAdminKey AccessToken',
      'AccessType ProjectId AdminAccessToken AccessToken',
    ]);
    expect(securityOf('GET /users/me')).toContain('AccessType ProjectId PublishableClientKey AccessToken');
    expect(securityOf('GET /projects/current')).toContain('AccessType ProjectId PublishableClientKey');
  });

  test('are empty for an endpoint without an access level', () => {
    expect(securityOf('GET /openapi.json')).toEqual([]);
  });

  test('name schemes of the document, each with the header that the server reads', () => {
    const { components } = whole as { components: { securitySchemes: object } };
    const named = [...wholeOperations.values()].flatMap(({ security }) => security.flatMap(Object.keys));
    expect([...new Set(named)].sort()).toEqual(Object.keys(components.securitySchemes).sort());
    expect(components.securitySchemes).toMatchObject({
      AccessType: { type: 'apiKey', in: 'header', name: 'x-stack-access-type' },
      AccessToken: { type: 'apiKey', in: 'header', name: 'x-stack-access-token' },
    });
  });
});

describe('the document of the whole table', () => {
  test('has every endpoint exactly once', () => {
    expect([...wholeOperations.keys()].sort()).toEqual(endpoints.map(one => `${one.method} ${one.path}`).sort());
  });

  test('describes each tag once', () => {
    const { tags } = whole as { tags: { name: string; description: string }[] };
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(endpoints.map(({ tag }) => tag))].sort());
    for (const { description } of tags) expect(description).not.toBe('');
  });

  test('refuses unknown fields in requests and allows them in answers', () => {
    const closed = (value: unknown) => JSON.stringify(value).includes('"additionalProperties":false');
    const all = [...wholeOperations.values()];
    expect(all.filter(({ requestBody }) => closed(requestBody ?? {})).length).toBeGreaterThan(0);
    expect(all.filter(({ responses }) => closed(responses)).map(({ operationId }) => operationId)).toEqual([]);
  });

  test('has unique operation ids', () => {
    const ids = [...wholeOperations.values()].map(operation => operation.operationId);
    expect(new Set(ids).size).toBe(endpoints.length);
  });

  test.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))(
    '%s agrees with the table',
    (route, one) => {
      const operation = wholeOperations.get(route);
      expect(Object.keys(operation?.responses ?? {})).toEqual([String(one.status ?? 200), '4XX', '5XX']);
      expect(operation?.tags).toEqual([one.tag]);
      for (const code of one.errors) expect(operation?.description).toContain(code);
      const inPath = operation?.parameters
        .filter(parameter => parameter.in === 'path')
        .map(parameter => parameter.name);
      expect(inPath).toEqual([...one.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]));
    },
  );

  test('an endpoint that shows a page documents its refusals as pages, too', () => {
    const page = wholeOperations.get('GET /emails/unsubscribe-link');
    expect(page?.responses['4XX']).toEqual({ $ref: '#/components/responses/RefusedByPage' });
  });

  test('is the same at each generation', () => {
    expect(JSON.stringify(openApiDocument(endpoints, options))).toBe(JSON.stringify(whole));
  });
});
