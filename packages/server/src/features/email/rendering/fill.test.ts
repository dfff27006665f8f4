import { describe, expect, test } from 'vitest';
import { fill } from './fill.ts';

const variables = { name: 'Ada', link: 'https://a.example/?code=x&y=<1>', empty: '', unset: undefined };

describe('a template is filled', () => {
  test.each([
    ['Hello {{name}}', 'Hello Ada'],
    ['{{ name }}{{{name}}}{{&name}}', 'AdaAdaAda'],
    ['{{link}}', 'https://a.example/?code=x&y=<1>'],
    ['{{unknown}}{{unset}}{{empty}}.', '.'],
    ['{{#if name}}Hello {{name}}{{else}}Hello{{/if}}', 'Hello Ada'],
    ['{{#if unset}}Hello {{name}}{{else}}Hello{{/if}}', 'Hello'],
    ['{{#unless empty}}yes{{/unless}}{{#unless name}}no{{/unless}}', 'yes'],
    ['{{#if unset}}1{{else if name}}2{{else}}3{{/if}}', '2'],
    ['{{#name}}Hello {{this}}{{/name}}{{^empty}}!{{/empty}}', 'Hello Ada!'],
    ['{{@root.name}}', 'Ada'],
    ['a {{~name~}} b{{! not seen }}', 'aAdab'],
    ['no braces at all', 'no braces at all'],
  ])('%s', async (template, expected) => {
    expect(await fill(template, variables)).toBe(expected);
  });
});

describe('control 88: a template can read only its variables', () => {
  test.each([
    '{{constructor}}',
    '{{__proto__}}',
    '{{toString}}',
    '{{name.length}}',
    '{{name.constructor}}',
    '{{this.constructor.constructor}}',
    '{{@data}}',
    '{{@root.constructor}}',
  ])('%s is empty', async template => {
    expect(await fill(template, variables)).toBe('');
  });

  test.each([
    '{{#each this}}{{#each ..}}x{{/each}}{{/each}}',
    '{{#with this}}{{lookup . "constructor"}}{{/with}}',
    '{{log "here"}}',
    '{{> partial}}',
    '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}',
    '{{helper name}}',
    '{{if name "x"}}',
    '{{#if name',
    '{{/if}}',
    '{{"name"}}',
    `${'{{#if name}}'.repeat(50)}x${'{{/if}}'.repeat(50)}`,
    `{{name}}${'x'.repeat(20_000)}`,
  ])('%s is used as it is', async template => {
    expect(await fill(template, variables)).toBe(template);
  });

  test.each([
    ['many variables', '{{name}}'.repeat(2_000)],
    ['a path without end', `{{${'a.'.repeat(3_000)}a}}`],
    ['braces and nothing else', '{{'.repeat(2_000)],
  ])('%s are not even parsed', async (_, template) => {
    expect(await fill(template, variables)).toBe(template);
  });

  test('a value of one megabyte is inserted once, not a thousand times', async () => {
    const large = 'x'.repeat(1_000_000);
    expect(await fill('{{large}}', { large })).toBe(large);
    const template = '{{large}}'.repeat(300);
    expect(await fill(template, { large })).toBe(template);
    const sections = `${'{{#large}}'.repeat(10)}${'{{this}}'.repeat(20)}${'{{/large}}'.repeat(10)}`;
    expect(await fill(sections, { large })).toBe(sections);
  });

  test('an inserted value is not filled again', async () => {
    expect(await fill('{{a}}', { a: '{{b}}', b: 'x' })).toBe('{{b}}');
  });
});
