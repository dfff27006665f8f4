import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../platform/observability/log.ts';
import { refuse } from '../refusal.ts';
import { isRefusal } from './failures.ts';

/** After this much, other requests get a turn: a reader that is fast enough never makes the generator wait. */
const bytesOfTurn = 64 * 1024;

/** A line of JSON. */
export function lineOf(item: unknown): string {
  return `${JSON.stringify(item)}\n`;
}

/** A server-sent event; null is a comment, which only shows that the stream is alive. */
export function eventOf(item: unknown): string {
  return item === null ? ':\n\n' : `data: ${JSON.stringify(item)}\n\n`;
}

/** A part of a list has at least this length: each one that is written on its own costs more than the JSON of a small item. */
const partMinLength = 16 * 1024;

/** The JSON of an unpaged list in parts, each of some items. `indent` is that of `JSON.stringify`. */
export async function* listParts(
  items: AsyncIterable<object> | Iterable<object>,
  { check, indent }: { check: (list: object) => void; indent: number | undefined },
): AsyncGenerator<string> {
  const space = ' '.repeat(indent ?? 0);
  const line = indent === undefined ? '' : '\n';
  const nested = line + space.repeat(2);
  const colon = indent === undefined ? ':' : ': ';
  const start = `{${line}${space}"items"${colon}[`;
  const rest = `],${line}${space}"is_paginated"${colon}false${line}}`;
  let part = start;
  let count = 0;
  for await (const item of items) {
    check({ items: [item], is_paginated: false });
    // A line break of a string is escaped in JSON, so these are the line breaks of the indentation.
    const json = JSON.stringify(item, null, indent).replaceAll('\n', nested);
    part += (count === 0 ? '' : ',') + nested + json;
    count += 1;
    if (part.length < partMinLength) continue;
    yield part;
    part = '';
  }
  yield part + (count === 0 ? rest : line + space + rest);
}

/** A reader whose access has ended gets at most this many items more. */
const itemsPerCheck = 1_000;

/** The items of a long answer, while its reader has access. */
export async function* whileAllowed(
  items: AsyncIterable<unknown>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<unknown> {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (count % itemsPerCheck === 0 && !(await isAllowed())) refuse(403, 'The access of the reader has ended.');
  }
}

/**
 * A body that is generated while it is sent, so memory use does not grow with its length. An error before the first item
 * becomes an error answer. An error after it ends the body early, and the reader sees an incomplete body.
 */
export async function streamItems(
  items: AsyncIterable<unknown>,
  { check, encode }: { check: (item: unknown) => void; encode: (item: unknown) => string },
  { log }: { log: Log },
): Promise<ReadableStream<Uint8Array>> {
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = await iterator.next();
  let bytesSinceTurn = 0;
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) return controller.close();
      try {
        check(next.value);
        const part = encoder.encode(encode(next.value));
        controller.enqueue(part);
        bytesSinceTurn += part.byteLength;
        if (bytesSinceTurn >= bytesOfTurn) {
          bytesSinceTurn = 0;
          await setImmediate();
        }
        next = await iterator.next();
      } catch (error) {
        log[isRefusal(error) ? 'info' : 'error']({ error }, 'a streamed answer ended early');
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
