import type { Connection } from '../core/connection.ts';
import type { BodyLimits, HttpRequest } from '../core/http-request.ts';
import type { Reply } from './response/reply.ts';
import type { Handler } from './router.ts';

/** The whole server as a function: hosts and tests call it without a socket. */
export type App = (request: Request, connection?: Connection) => Promise<Response>;

/** Lets a handler answer a global `Request`. */
export function toApp(handle: Handler): App {
  return async (request, connection = {}) => toResponse(await handle(fromRequest(request), connection));
}

/** A request without a socket. */
export function fromRequest(request: Request): HttpRequest {
  const { method, url, headers } = request;
  const hasLeft = () => request.signal.aborted;
  return { method, url, headers, readBody: limits => readBody(request, limits), hasLeft };
}

async function readBody(request: Request, { maxBytes, discardMaxBytes }: BodyLimits): Promise<Uint8Array | undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > discardMaxBytes) break;
    if (size > maxBytes) chunks = [];
    else chunks.push(chunk);
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

export function toResponse({ status, common = [], headers, body }: Reply): Response {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  for (let index = 0; index < common.length; index += 2) pairs.push([common[index] ?? '', common[index + 1] ?? '']);
  return new Response(body, { status, headers: pairs });
}
