import { expect, expectTypeOf, test } from 'vitest';
import { parseMetadata, type SchemaResult, type StandardSchema } from './metadata.ts';

type Validate<Output> = (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;

function schemaOf<Output>(validate: Validate<Output>): StandardSchema<Output> {
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

const theme = schemaOf<{ theme: string }>(value => {
  const found = Object(value).theme;
  return found === undefined || typeof found === 'string'
    ? { value: { theme: String(found ?? 'light') } }
    : { issues: [{ message: 'secret-text', path: ['theme', { key: 0 }] }, { message: 'no' }] };
});

test('parseMetadata returns the value of the schema, with its type and defaults', async () => {
  const parsed = await parseMetadata(theme, {});
  expectTypeOf(parsed).toEqualTypeOf<{ theme: string }>();
  expect(parsed).toEqual({ theme: 'light' });
});

test('parseMetadata waits for a schema that checks asynchronously', async () => {
  expect(
    await parseMetadata(
      schemaOf(async value => ({ value: String(value) })),
      1,
    ),
  ).toBe('1');
});

test('metadata that does not fit is an SdkError that names the keys and quotes nothing', async () => {
  const error = await parseMetadata(theme, { theme: ['secret-text'] }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    name: 'SdkError',
    code: 'INVALID_METADATA',
    message: 'The metadata does not fit its schema at: theme.0, the value.',
  });
});
