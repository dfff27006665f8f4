import type * as z from 'zod';
import { pathParameters } from '../endpoint.ts';
import type { SvixEndpoint } from '../resources/webhooks/svix.ts';
import { type JsonObject, jsonSchema, parametersOf, pascalCase } from './openapi-schema.ts';

/** Adds the Svix routes to a document, with their own credential and their own errors. */
export function withSvixRoutes(document: JsonObject, table: readonly SvixEndpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = { ...(document.paths as Record<string, JsonObject>) };
  for (const declared of table) {
    paths[declared.path] = { ...paths[declared.path], [declared.method.toLowerCase()]: operation(declared) };
  }
  const components = document.components as { responses: JsonObject; securitySchemes: JsonObject };
  return {
    ...document,
    paths,
    components: {
      ...components,
      responses: { ...components.responses, RefusedBySvixRoute: refused },
      securitySchemes: { ...components.securitySchemes, SvixToken: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(declared: SvixEndpoint): JsonObject {
  return {
    operationId: `svix${pascalCase(`${declared.method.toLowerCase()} ${declared.path}`)}`,
    summary: declared.summary,
    description: 'Called by the Svix client, with the token that `POST /webhooks/svix-token` gives.',
    tags: ['extension'],
    security: [{ SvixToken: [] }],
    parameters: [
      ...pathParameters(declared.path).map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...parametersOf(declared.query, 'query'),
    ],
    ...(declared.body === undefined
      ? {}
      : { requestBody: { required: true, content: asJson(declared.body, 'input') } }),
    responses: {
      [String(declared.status)]: {
        description: 'Success',
        ...(declared.response === undefined ? {} : { content: asJson(declared.response, 'output') }),
      },
      '4XX': { $ref: '#/components/responses/RefusedBySvixRoute' },
    },
  };
}

function asJson(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  return { 'application/json': { schema: jsonSchema(schema, io) } };
}

const refused = {
  description: 'A code for programs, and what is wrong: a sentence, or a list of what does not fit.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'detail'],
        properties: { code: { type: 'string' }, detail: {} },
      },
    },
  },
};
