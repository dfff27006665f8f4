import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** A reverse proxy that serves an upstream server below a path. */
export interface PrefixProxy {
  /** Its address, with the path. */
  readonly url: string;
  stop(): Promise<void>;
}

interface PrefixProxyOptions {
  readonly port: number;
  /** For example `/auth`. The upstream gets the path without it. Other paths are answered with 404. */
  readonly prefix: string;
  readonly upstreamPort: number;
}

/** Starts the proxy. The upstream need not run yet. */
export async function startPrefixProxy({ port, prefix, upstreamPort }: PrefixProxyOptions): Promise<PrefixProxy> {
  const proxy = createServer((incoming, outgoing) => {
    const path = pathBelow(prefix, incoming.url ?? '/');
    if (path === undefined) return void outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: upstreamPort, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(forwarded);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');

  async function stop(): Promise<void> {
    const closed = once(proxy, 'close');
    proxy.close();
    proxy.closeAllConnections();
    await closed;
  }

  return { url: `http://localhost:${port}${prefix}`, stop };
}

/** @returns undefined for a path that is not below the prefix */
function pathBelow(prefix: string, path: string): string | undefined {
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
