import * as z from 'zod';

export type JsonObject = Record<string, unknown>;

/** Objects of answers are open: a later server may add a field, which a client that checks the answer must accept. */
export function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: converted }) => {
      if (io === 'output' && converted.additionalProperties === false) delete converted.additionalProperties;
    },
  }) as JsonObject;
  return rest;
}

/** The parameters of an operation in one place, one for each field of the schema. */
export function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: jsonSchema(field, 'input'),
  }));
}

/** The words of a text in Pascal case: `/users/{user_id}` becomes `UsersUserId`. */
export function pascalCase(text: string): string {
  const words = text.split(/[^a-zA-Z0-9]+/).filter(word => word !== '');
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
