import type * as z from 'zod';
import { type AccessLevel, accessLevels, atLevel, isPerLevel, type Leveled, levelsFrom } from '../access/access.ts';
import type { Endpoint } from '../endpoint.ts';
import { apiPath } from '../limits.ts';
import { type JsonObject, jsonSchema, parametersOf, pascalCase } from './openapi-schema.ts';
import { securityOf, securitySchemes } from './openapi-security.ts';
import { tagDescriptions } from './openapi-tags.ts';

/**
 * The endpoint table as an OpenAPI 3.1 document. Pure: the same table gives the same document.
 * Where levels see different objects, the alternatives are in `anyOf`, each with its level as title.
 */
export function openApiDocument(
  table: readonly Endpoint[],
  options: { publicUrl: string; version: string },
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const declared of table) {
    const path = paths[declared.path] ?? {};
    path[declared.method.toLowerCase()] = operation(declared);
    paths[declared.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tessera', version: options.version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: `${options.publicUrl}${apiPath}` }],
    tags: tagsOf(table),
    paths,
    components: { schemas: { KnownError: knownError }, responses: errorResponses, securitySchemes },
  };
}

function tagsOf(table: readonly Endpoint[]): JsonObject[] {
  const used = new Set<string>(table.map(declared => declared.tag));
  return Object.entries(tagDescriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

function operation(declared: Endpoint): JsonObject {
  return {
    operationId: operationId(declared),
    summary: declared.summary,
    description: describe(declared),
    tags: [declared.tag],
    security: securityOf(declared),
    parameters: parameters(declared),
    ...(declared.body === undefined ? {} : { requestBody: requestBody(declared, declared.body) }),
    responses: {
      [String(declared.status ?? 200)]: { description: 'Success', content: content(declared) },
      '4XX': { $ref: `#/components/responses/${declared.produces === 'html' ? 'RefusedByPage' : 'Refused'}` },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  };
}

/** `GET /users/me` becomes `getUsersMe`. */
function operationId(declared: Endpoint): string {
  return declared.method.toLowerCase() + pascalCase(declared.path);
}

function describe(declared: Endpoint): string {
  const level =
    declared.access === 'none' ? 'No access type is needed.' : `Access level: ${declared.access} or higher.`;
  const user = declared.user === 'required' ? ' Needs a signed-in user.' : '';
  const codes = declared.errors.length === 0 ? '' : ` Known errors: ${declared.errors.join(', ')}.`;
  return level + user + codes;
}

function parameters(declared: Endpoint): JsonObject[] {
  return [
    ...parametersOf(declared.params, 'path'),
    ...parametersOf(declared.query && atLevel(declared.query, 'admin'), 'query'),
    ...parametersOf(declared.headers, 'header'),
  ];
}

function requestBody(declared: Endpoint, body: Leveled<z.ZodType>): JsonObject {
  const schema = perLevel(declared, body, 'input');
  return {
    required: true,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
  };
}

function content(declared: Endpoint): JsonObject {
  if (declared.produces === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  if (declared.produces === 'html') return { 'text/html': { schema: { type: 'string' } } };
  if (declared.produces === 'webp') return { 'image/webp': { schema: { type: 'string', format: 'binary' } } };
  if (declared.produces === 'event-stream') return { 'text/event-stream': { schema: { type: 'string' } } };
  const type = declared.produces === 'json-lines' ? 'application/x-ndjson' : 'application/json';
  return { [type]: { schema: perLevel(declared, declared.response, 'output') } };
}

function levels(declared: Endpoint): AccessLevel[] {
  return declared.access === 'none' ? [...accessLevels] : levelsFrom(declared.access);
}

function perLevel(declared: Endpoint, schema: Leveled<z.ZodType>, io: 'input' | 'output'): JsonObject {
  if (!isPerLevel(schema)) return jsonSchema(schema, io);
  const byTitle = levels(declared).map(level => ({ title: level, ...jsonSchema(atLevel(schema, level), io) }));
  return { anyOf: byTitle };
}

const knownError = {
  type: 'object',
  required: ['code', 'error'],
  properties: {
    code: { type: 'string', description: 'Stable; equal to the header x-stack-known-error.' },
    details: { description: 'Absent when the error has none.' },
    error: { type: 'string', description: 'For people; may change.' },
  },
};

const refusals = {
  'application/json': { schema: { $ref: '#/components/schemas/KnownError' } },
  'text/plain': { schema: { type: 'string' } },
};

const errorResponses = {
  Refused: {
    description: 'A known error (JSON, with the header x-stack-known-error) or a plain sentence.',
    content: refusals,
  },
  RefusedByPage: {
    description: 'A page for people, a known error (JSON, with the header x-stack-known-error) or a plain sentence.',
    content: { 'text/html': { schema: { type: 'string' } }, ...refusals },
  },
  Failed: {
    description:
      'A plain sentence. After 503, send the request again when the seconds of the header Retry-After are over.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  },
};
