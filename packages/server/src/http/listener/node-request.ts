import type { IncomingMessage } from 'node:http';
import { parseUrl } from '@tessera/protocol';
import type { BodyLimits, HttpHeaders, HttpRequest } from '../../core/http-request.ts';
import { defaultHost, isPlainHost } from './host.ts';
import type { KeptBytes } from './kept-bytes.ts';
import { atOnceMaxBytes, pauseReading } from './paced-reading.ts';

/** The request of a socket. Returns undefined when its target makes no URL. */
export function fromIncoming(incoming: IncomingMessage, bodies: KeptBytes<IncomingMessage>): HttpRequest | undefined {
  const url = urlOf(incoming);
  if (url === undefined) return undefined;
  return {
    method: incoming.method ?? 'GET',
    url,
    headers: new IncomingHeaders(incoming),
    readBody: limits => readBody(incoming, limits, bodies),
    hasLeft: () => incoming.socket.readableEnded || incoming.socket.destroyed,
  };
}

/** A target that the URL parser would not change: a path without dots, and nothing to encode. */
const plainTarget = /^\/[\w!$&'()*+,;=:@~/-]*(?:\?[\w!$&()*+,;=:@~/?.%-]*)?$/;

function urlOf({ url: target = '', headers }: IncomingMessage): string | undefined {
  const host = headers.host || defaultHost;
  if (plainTarget.test(target) && isPlainHost(host)) return `http://${host}${target}`;
  // A fragment is not part of a target (RFC 9112 section 3.2): a proxy in front may have read another path.
  if (target.includes('#')) return undefined;
  if (absoluteTarget.test(target)) return parseTarget(target);
  return target.startsWith('/') ? parseTarget(`http://${host}${target}`) : undefined;
}

/** With a host: the URL parser would take the first segment of the path for it (RFC 9110 section 4.2.1). */
const absoluteTarget = /^https?:\/\/[^/?\\]/;

/** The URL parser reads a backslash as a slash, which a proxy in front may not do. */
function parseTarget(url: string): string | undefined {
  const [path = ''] = url.split('?', 1);
  return path.includes('\\') ? undefined : parseUrl(url)?.href;
}

/** The headers that Node has parsed. Node joins repeated ones, see `joinDuplicateHeaders` of the listener. */
class IncomingHeaders implements HttpHeaders {
  readonly #headers: IncomingMessage['headers'];

  constructor({ headers }: IncomingMessage) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    return typeof value === 'string' ? value : null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  *entries(): Iterable<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers)) {
      if (typeof value === 'string') yield [name, value];
    }
  }
}

function readBody(
  incoming: IncomingMessage,
  { maxBytes, discardMaxBytes }: BodyLimits,
  bodies: KeptBytes<IncomingMessage>,
) {
  return new Promise<Uint8Array | undefined>((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isComplete = false;
    // Every request emits `close`, also after its end.
    const fail = (error?: Error) => {
      bodies.forget(incoming);
      if (!isComplete) reject(error ?? new Error('the connection ended'));
    };
    // Both have happened already when the request waited for something before its body was read.
    if (incoming.readableEnded) return resolve(new Uint8Array());
    if (incoming.destroyed) return fail();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxBytes) {
        chunks = [];
        bodies.forget(incoming);
      } else {
        chunks.push(chunk);
        bodies.add(incoming, chunk.byteLength);
      }
      // Node reads the rest after the response, until the time limit of the request.
      if (size > discardMaxBytes) resolve(undefined);
      else if (size > atOnceMaxBytes) pauseReading(incoming);
    });
    incoming.once('end', () => {
      isComplete = true;
      bodies.forget(incoming);
      resolve(size > maxBytes ? undefined : joinChunks(chunks));
    });
    incoming.once('error', fail);
    incoming.once('close', fail);
  });
}

function joinChunks(chunks: readonly Buffer[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
