import type { Log } from '../platform/observability/log.ts';

/**
 * A body of JSON lines that is generated while it is sent, so memory use does not grow with its length. An error before
 * the first line becomes an error answer. An error after it ends the body early, and the reader sees an incomplete body.
 */
export async function streamLines(
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
        log.error({ error }, 'a streamed answer ended early');
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
