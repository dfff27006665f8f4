import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of a file of JSON Lines, without their line ends. Only a line feed, also after a carriage return, ends a
 * line: `readline` of Node 24 and later splits at U+2028 and U+2029 too, which JSON allows inside strings.
 */
export async function* readLines(source: Readable): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8');
  let unfinished: string[] = [];
  for await (const chunk of source) {
    const [first = '', ...others] = textOf(chunk, decoder).split('\n');
    unfinished.push(first);
    for (const next of others) {
      yield withoutReturn(unfinished.join(''));
      unfinished = [next];
    }
  }
  const last = unfinished.join('') + decoder.end();
  if (last !== '') yield withoutReturn(last);
}

function textOf(chunk: Buffer | string, decoder: StringDecoder): string {
  return typeof chunk === 'string' ? chunk : decoder.write(chunk);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
