import type { Readable } from 'node:stream';

/**
 * The lines of a file of JSON Lines, without their line ends. Only a line feed, also after a carriage return, ends a
 * line: `readline` of Node 24 and later splits at U+2028 and U+2029 too, which JSON allows inside strings. A byte order mark
 * at the beginning, which Windows programs write, is not part of the first line.
 */
export async function* readLines(source: Readable): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let unfinished: string[] = [];
  for await (const chunk of source) {
    const [first = '', ...others] = textOf(chunk, decoder).split('\n');
    unfinished.push(first);
    for (const next of others) {
      yield withoutReturn(unfinished.join(''));
      unfinished = [next];
    }
  }
  const last = unfinished.join('') + decoder.decode();
  if (last !== '') yield withoutReturn(last);
}

function textOf(chunk: Buffer | string, decoder: TextDecoder): string {
  return typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
