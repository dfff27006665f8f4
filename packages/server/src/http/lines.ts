import type { Log } from '../platform/observability/log.ts';

/**
 * A body of JSON lines that is made while it is read, so that its length costs no memory. What goes wrong before the
 * first line is refused like everything else; afterwards the body ends in the middle, and the reader knows by that.
 */
export async function linesOf(
  items: AsyncIterable<unknown>,
  check: (item: unknown) => void,
  { log }: { log: Log },
): Promise<ReadableStream<Uint8Array>> {
  const iterator = items[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = await iterator.next();
  return new ReadableStream({
    async pull(controller) {
      if (next.done === true) return controller.close();
      try {
        check(next.value);
        controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
        next = await iterator.next();
      } catch (error) {
        log.error({ error }, 'an answer ended in the middle');
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
