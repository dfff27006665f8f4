import * as z from 'zod';
import { pathParameters } from '../endpoint.ts';
import type { SvixEndpoint } from '../resources/webhooks/svix.ts';

type JsonObject = Record<string, unknown>;

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
    operationId: `svix${operationName(declared)}`,
    summary: declared.summary,
    description: 'Called by the Svix client, with the token that `POST /webhooks/svix-token` gives.',
    tags: ['extension'],
    security: [{ SvixToken: [] }],
    parameters: [
      ...pathParameters(declared.path).map(name => parameter(name, 'path', z.string())),
      ...Object.entries(declared.query?.shape ?? {}).map(([name, field]) => parameter(name, 'query', field)),
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

/** `GET /app/{app_id}/endpoint` becomes `GetAppAppIdEndpoint`. */
function operationName({ method, path }: SvixEndpoint): string {
  const words = `${method.toLowerCase()} ${path}`.split(/[^a-zA-Z0-9]+/).filter(word => word !== '');
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parameter(name: string, place: 'path' | 'query', field: z.core.$ZodType): JsonObject {
  const isRequired = place === 'path' || !z.safeParse(field, undefined).success;
  return { name, in: place, required: isRequired, schema: jsonSchema(field, 'input') };
}

function asJson(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  return { 'application/json': { schema: jsonSchema(schema, io) } };
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
  return rest;
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
