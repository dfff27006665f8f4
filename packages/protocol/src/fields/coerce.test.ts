import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { coercionOf } from './coerce.ts';
import { json } from './fields.ts';

describe('scalars are converted before validation', () => {
  test.each([
    ['a number for a text', z.string(), 42, '42'],
    ['a boolean for a text', z.string(), true, 'true'],
    ['a text for a text', z.string(), '42', '42'],
    ['digits for a number', z.number(), '42', 42],
    ['a sign and a fraction', z.number(), '-4.25', -4.25],
    ['a leading dot', z.number(), '.5', 0.5],
    ['a trailing dot', z.number(), '5.', 5],
    ['an exponent', z.number(), '1e3', 1000],
    ['the word true for a boolean', z.boolean(), 'true', true],
    ['the word false for a boolean', z.boolean(), 'false', false],
    ['1 for a boolean', z.boolean(), '1', true],
    ['0 for a boolean', z.boolean(), '0', false],
    ['the word true for what is only ever true', z.literal(true), 'true', true],
    ['a number for a text that is transformed', z.string().transform(text => text.length), 42, '42'],
    ['a number for a choice', z.enum(['1', '2']), 1, '1'],
  ])('%s', (_, schema, given, expected) => {
    expect(coercionOf(schema)(given)).toBe(expected);
  });

  test.each([
    ['an empty text for a number', z.number(), ''],
    ['blanks for a number', z.number(), ' 1'],
    ['a hexadecimal number', z.number(), '0x10'],
    ['a word for a number', z.number(), 'Infinity'],
    ['another word for a boolean', z.boolean(), 'yes'],
    ['a capital letter for a boolean', z.boolean(), 'True'],
    ['a number for a boolean', z.boolean(), 1],
    ['a boolean for a number', z.number(), true],
    ['null for a text', z.string(), null],
    ['nothing for a text', z.string(), undefined],
  ])('%s stays what it is', (_, schema, given) => {
    expect(coercionOf(schema)(given)).toBe(given);
  });

  test.each([
    ['text', z.string()],
    ['number', z.number()],
    ['boolean', z.boolean()],
  ])('an object or an array never passes as a %s', (_, schema) => {
    const coerce = coercionOf(schema);
    const given: unknown[] = [{}, [], ['1'], { valueOf: 1 }];
    expect(given.map(coerce)).toEqual(given);
  });
});

describe('structures', () => {
  const schema = z.strictObject({
    name: z.string().nullable().optional(),
    items: z.array(z.strictObject({ count: z.number().optional() })).optional(),
    open: z.boolean().default(true),
    anything: json.optional(),
  });
  const coerce = coercionOf(schema);

  test('fields are converted at every depth', () => {
    expect(coerce({ name: 1, items: [{ count: '2' }, {}], open: 'false' })).toEqual({
      name: '1',
      items: [{ count: 2 }, {}],
      open: false,
    });
  });

  test('null and absent keys stay null and absent', () => {
    expect(coerce({ name: null })).toEqual({ name: null });
    expect(Object.keys(coerce({}) as object)).toEqual([]);
  });

  test('metadata is not converted', () => {
    const anything = { a: '1', b: 'true', c: [1, null, { d: '2' }] };
    expect(coerce({ anything })).toEqual({ anything });
  });

  test('the input object is not modified', () => {
    const given = { name: 1, items: [{ count: '2' }] };
    coerce(given);
    expect(given).toEqual({ name: 1, items: [{ count: '2' }] });
  });

  test('unknown keys are kept, so that validation reports them', () => {
    expect(coerce({ name: 1, stranger: '1' })).toEqual({ name: '1', stranger: '1' });
  });

  test.each([[null], ['text'], [1], [[{ name: 1 }]]])('%j in place of an object stays what it is', given => {
    expect(coerce(given)).toEqual(given);
  });

  test('a key named __proto__ stays an own key', () => {
    const given: unknown = JSON.parse('{"name":1,"__proto__":{"polluted":true}}');
    const coerced = coerce(given);
    expect(Object.keys(coerced as object)).toEqual(['name', '__proto__']);
    expect(Object.getPrototypeOf(coerced)).toBe(Object.prototype);
  });

  test('a union is converted only when all its options convert alike', () => {
    expect(coercionOf(z.union([z.string(), z.enum(['a'])]))(1)).toBe('1');
    expect(coercionOf(z.union([z.string(), z.number()]))('1')).toBe('1');
  });
});
