import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const checkMs = 50;

export interface KeepAliveProxy {
  readonly port: number;
  close(): void;
}

/**
 * A reverse proxy in front of several processes: it keeps its connections to them open, and sends requests only to
 * processes whose `/ready` responds with 200.
 */
export async function startKeepAliveProxy(upstreams: readonly number[]): Promise<KeepAliveProxy> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(upstreams);
  let turn = 0;
  const next = () => [...ready][turn++ % ready.size];

  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, { agent, port: next() }));
  let isOpen = true;
  // One check at a time for each process: the result of a slow check never replaces a newer one.
  const watch = async (port: number) => {
    while (isOpen) {
      if (await check(port)) ready.add(port);
      else ready.delete(port);
      await new Promise(resolve => setTimeout(resolve, checkMs));
    }
  };
  for (const port of upstreams) void watch(port);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      isOpen = false;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agent, port }: { agent: Agent; port: number | undefined },
): void {
  const { method, url, headers } = incoming;
  const upstream = request({ agent, port, host: '127.0.0.1', method, path: url, headers }, answer => {
    const { connection, 'keep-alive': _, ...endToEnd } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, endToEnd);
    answer.pipe(outgoing);
  });
  upstream.once('error', error => outgoing.writeHead(502).end(error.message));
  incoming.pipe(upstream);
}

async function check(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
  return answer?.ok === true;
}
