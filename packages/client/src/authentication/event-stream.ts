import { linesOf } from '../transport/json-lines.ts';

/**
 * The data of server-sent events as JSON, as they arrive; undefined for a comment. Our server writes each event as one
 * `data` line. https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function* eventsOf(response: Response): AsyncGenerator<unknown> {
  for await (const line of linesOf(response)) {
    yield line.startsWith('data: ') ? JSON.parse(line.slice('data: '.length)) : undefined;
  }
}
