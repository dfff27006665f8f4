import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { headersMaxBytes } from '@tessera/protocol';

export interface BridgeOptions {
  /** The base URL of all paths. */
  readonly base: string;
  readonly listener: RequestListener;
}

/** Lets a `node:http` handler answer a `Request` over a pair of streams, without a socket. */
export function createBridge({ base, listener }: BridgeOptions): (request: Request) => Promise<Response> {
  const server = createServer({ maxHeaderSize: headersMaxBytes }, listener);
  const { host, protocol, pathname } = new URL(base);
  // A request with another host name is redirected to the base URL.
  const address = { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1), connection: 'close' };

  return async request => {
    const path = pathBelow(pathname, new URL(request.url));
    if (path === undefined) return new Response('There is nothing here.', { status: 404 });
    const body = Buffer.from(await request.arrayBuffer());
    const [near, far] = duplexPair();
    server.emit('connection', far);
    const sent = [...request.headers].filter(([name]) => !ofTheConnection.has(name));
    const headers = { ...Object.fromEntries(sent), ...address, 'content-length': String(body.byteLength) };
    const message = await new Promise<IncomingMessage>((done, failed) => {
      const outgoing = send({
        method: request.method,
        path,
        headers,
        createConnection: () => near,
      });
      outgoing.on('response', done);
      outgoing.on('error', failed);
      outgoing.end(body);
    });
    return responseOf(message);
  };
}

/** A proxy may have removed the beginning of the public path. The last segment of the base is always present. */
function pathBelow(basePath: string, { pathname, search }: URL): string | undefined {
  const folder = basePath.slice(basePath.indexOf('/dev/'));
  const start = pathname.indexOf(folder);
  return start === -1 ? undefined : pathname.slice(start + folder.length) + search;
}

async function responseOf(message: IncomingMessage): Promise<Response> {
  const body = await buffer(message);
  const headers = new Headers();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = message.rawHeaders.slice(index, index + 2);
    if (!ofTheConnection.has(name.toLowerCase())) headers.append(name, value);
  }
  const status = message.statusCode ?? 500;
  return new Response(status === 204 || status === 304 ? null : body, { status, headers });
}

/** Headers of one connection (RFC 9110 section 7.6.1), and the length of a body that is sent whole. */
const ofTheConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
