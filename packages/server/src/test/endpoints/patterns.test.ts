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

const length = 50_000;

/** Long texts for which a backtracking pattern makes a quadratic number of attempts, or worse. */
function worstCases(text: string): string[] {
  const body = text.slice(1, text.lastIndexOf('/'));
  const characters = new Set(['a', '0', '.', '-', ' ', '/', '@', '$', 'A', '_', ...body.replace(/\\./g, '')]);
  // The constant prefix of a pattern, so that the rest of it is reached.
  const start = /^\^?((?:[\w:/@,;=-]|\\[./$])*)/.exec(body)?.[1]?.replaceAll('\\', '') ?? '';
  const words = ['a.', 'a-', 'ab', '0.', 'AAAA', 'eyJ', 'sk_', start || 'x'];
  return [...characters, ...words].flatMap(unit => {
    const long = unit.repeat(Math.ceil(length / unit.length));
    return [long, `${long}\n`, `${long}!`, `${start}${long}\0`, `a@${long}!`, `!${long}@`];
  });
}

const patterns = (await Promise.all(folders.map(patternsIn))).flat();

test('control 85: the search finds regular expressions', () => {
  expect(patterns.length).toBeGreaterThan(10);
});

describe('control 85: every regular expression of ours is linear', () => {
  test.each(patterns)('$place: $text', ({ text }) => {
    // A linear one takes milliseconds for 50,000 characters, a second on a busy machine; a quadratic one ten or more.
    const script = new Script(`text.replace(${text}, '')`);
    const context = createContext({ text: '' });
    for (const worst of worstCases(text)) {
      context.text = worst;
      expect(() => script.runInContext(context, { timeout: 3000 }), worst.slice(0, 40)).not.toThrow();
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
