import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const folders = ['../..', '../../../../protocol/src'].map(folder => join(import.meta.dirname, folder));

interface Pattern {
  readonly place: string;
  readonly text: string;
}

/** Every regular expression in our source code. */
async function patternsIn(folder: string): Promise<Pattern[]> {
  const names = (await readdir(folder, { recursive: true })).filter(isOurs);
  const found = await Promise.all(
    names.map(async name => literalsIn(name, await readFile(join(folder, name), 'utf8'))),
  );
  return found.flat();
}

function isOurs(name: string): boolean {
  return name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('test/');
}

function literalsIn(name: string, source: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ place: name, text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest));
  return found;
}

const longLength = 50_000;
/** Within the limits of the patterns that bound their text. A body has thousands of such texts. */
const short = { length: 480, repetitions: 300 };

/** Texts for which a backtracking pattern makes a quadratic number of attempts, or worse. */
function worstCases(text: string): string[] {
  const body = text.slice(1, text.lastIndexOf('/'));
  const characters = new Set(['a', '0', '.', '-', ' ', '/', '@', '$', 'A', '_', ...body.replace(/\\./g, '')]);
  // The constant prefix of a pattern, so that the rest of it is reached.
  const start = /^\^?((?:[\w:/@,;=-]|\\[./$])*)/.exec(body)?.[1]?.replaceAll('\\', '') ?? '';
  const words = ['a.', 'a-', 'ab', '0.', 'AAAA', 'eyJ', 'sk_', start || 'x'];
  return [...characters, ...words].flatMap(unit => {
    const long = unit.repeat(Math.ceil(longLength / unit.length));
    return [long, `${long}\n`, `${long}!`, `${start}${long}\0`, `a@${long}!`, `!${long}@`];
  });
}

/** The words that a pattern names, repeated alone and as parts of one longer word. */
function worstShortCases(text: string): string[] {
  const words = text.replace(/\\./g, ' ').match(/[a-z]{3,}/gi) ?? [];
  const units = [...new Set(words)].flatMap(word => [`${word}-`, `${word} `]);
  return units.map(unit => unit.repeat(Math.ceil(short.length / unit.length)));
}

const patterns = (await Promise.all(folders.map(patternsIn))).flat();

test('control 85: the search finds regular expressions', () => {
  expect(patterns.length).toBeGreaterThan(10);
});

describe('control 85: every regular expression of ours is linear', () => {
  test.each(patterns)('$place: $text', ({ text }) => {
    // A linear one takes milliseconds for 50,000 characters, a second on a busy machine; a quadratic one ten or more.
    const once = `text.replace(${text}, '')`;
    const script = new Script(once);
    const often = new Script(`for (let n = 0; n < ${short.repetitions}; n++) ${once}`);
    const context = createContext({ text: '' });
    for (const worst of worstCases(text)) {
      context.text = worst;
      expect(() => script.runInContext(context, { timeout: 3000 }), worst.slice(0, 40)).not.toThrow();
    }
    for (const worst of worstShortCases(text)) {
      context.text = worst;
      expect(() => often.runInContext(context, { timeout: 3000 }), worst.slice(0, 40)).not.toThrow();
    }
  });
});

test('control 85: no regular expression is built from text', async () => {
  const sources = await Promise.all(
    folders.map(async folder => {
      const names = (await readdir(folder, { recursive: true })).filter(isOurs);
      return Promise.all(names.map(async name => ({ name, source: await readFile(join(folder, name), 'utf8') })));
    }),
  );
  const making = sources.flat().filter(({ source }) => /new RegExp\(/.test(source));
  expect(making.map(({ name }) => name)).toEqual([]);
});
