import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Reply } from '../response/reply.ts';
import { createLoopTurns } from './loop-turns.ts';
import { pauseReading } from './paced-reading.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** A client that still sends its body after the response is disconnected after this time. */
const restOfBodyMs = 500;

/** A longer answer is written in a turn with few others. */
const atOnceMaxBytes = 64 * 1024;
const inTurn = createLoopTurns(4);

/** Writes a reply to a socket. Resolves when the body has been handed over, or when the client has gone. */
export async function send(outgoing: ServerResponse, reply: Reply, unsent: UnsentAnswers): Promise<void> {
  const { status, body } = reply;
  if (body instanceof ReadableStream) {
    unsent.watchStream(outgoing);
    outgoing.writeHead(status, headerLines(reply));
    // The error of a generated body is in the log already. Any other one says that the client has gone.
    await pipeline(Readable.fromWeb(body as NodeReadableStream), outgoing).catch(() => undefined);
  } else {
    const length = body === null ? 0 : Buffer.byteLength(body);
    if (length > atOnceMaxBytes) await new Promise<void>(inTurn);
    const lines = headerLines(reply);
    if (hasLength(status, outgoing.req.method)) lines.push('content-length', length);
    outgoing.writeHead(status, lines);
    outgoing.end(body);
    unsent.watch(outgoing, length);
  }
  if (!outgoing.req.complete) discardRest(outgoing);
}

/** A HEAD request, a 204 and a 304 have no length of a body (RFC 9110 section 8.6). */
function hasLength(status: number, method: string | undefined): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}

function headerLines({ common = [], headers }: Reply): OutgoingHttpHeader[] {
  const lines: OutgoingHttpHeader[] = [...common];
  for (const name in headers) lines.push(name, headers[name] as OutgoingHttpHeader);
  return lines;
}

/** Reads what a client still sends, so that the connection can take its next request. */
function discardRest({ req }: ServerResponse): void {
  const timer = setTimeout(() => req.socket.destroySoon(), restOfBodyMs).unref();
  req.once('close', () => clearTimeout(timer));
  req.on('data', () => pauseReading(req));
}
