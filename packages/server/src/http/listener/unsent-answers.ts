import type { ServerResponse } from 'node:http';
import { createKeptBytes } from './kept-bytes.ts';

/** The answers that slow clients have not received yet, which this process keeps in memory. */
export interface UnsentAnswers {
  /** Call it when the whole answer has been handed over to the socket. @param bytes of its body */
  watch(outgoing: ServerResponse, bytes: number): void;
  /** Call it before an answer whose body is generated, and is never in memory as a whole. */
  watchStream(outgoing: ServerResponse): void;
}

interface UnsentAnswersOptions {
  /** A client that takes nothing for this long is disconnected. In milliseconds. */
  readonly stallMs: number;
  /** Bytes of all unsent answers. Above it, the client that has had its answer for the longest time is disconnected. */
  readonly maxBytes: number;
}

/** Control 80: a client that reads slowly, or not at all, does not fill the memory. */
export function createUnsentAnswers({ stallMs, maxBytes }: UnsentAnswersOptions): UnsentAnswers {
  const unsent = createKeptBytes<ServerResponse>(maxBytes);

  /** Node emits the timeout only when its queue of the socket has not become shorter, and resets it for the next request. */
  function endWhenStalled({ socket }: ServerResponse): void {
    socket?.setTimeout(stallMs);
  }

  return {
    watch(outgoing, bytes) {
      if (outgoing.socket === null || outgoing.socket.writableLength === 0) return;
      endWhenStalled(outgoing);
      outgoing.once('close', () => unsent.forget(outgoing));
      unsent.add(outgoing, bytes);
    },
    watchStream: endWhenStalled,
  };
}
