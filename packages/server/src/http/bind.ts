import type { Answer, Endpoint } from '@tessera/protocol';
import type { Call } from '../core/call.ts';
import type { Reply } from './response/reply.ts';

/** An answer with its own status or headers. */
export class ResponseOverride {
  constructor(
    readonly body: unknown,
    readonly options: { readonly status?: number; readonly headers?: Reply['headers'] },
  ) {}
}

/** An unpaged list that is generated while it is sent, so that memory does not grow with its length. */
export class StreamedList {
  constructor(readonly items: AsyncIterable<object> | Iterable<object>) {}
}

/** A JSON body that never changes, as text: it is serialized once. */
export class ConstantJson {
  readonly text: string;

  constructor(value: object) {
    this.text = JSON.stringify(value);
  }
}

/** The return value of a handler: the body, an answer with its own status, or JSON lines. */
type Answered<E extends Endpoint> = E extends { produces: 'json-lines' | 'event-stream' }
  ? AsyncIterable<Answer<E>>
  : Answer<E>;

export type Handler<E extends Endpoint> = (
  call: Call<E>,
) => Promise<Answered<E> | ResponseOverride | StreamedList> | Answered<E> | ResponseOverride | ConstantJson;

export interface BoundRoute {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call) => Promise<unknown> | unknown;
}

/** Binds an endpoint of the table to its handler. */
export function bind<const E extends Endpoint>(endpoint: E, handler: Handler<E>): BoundRoute {
  // The pipeline validates the request against this endpoint, so the call has the type that the handler expects.
  return { endpoint, handle: handler as unknown as BoundRoute['handle'] };
}
