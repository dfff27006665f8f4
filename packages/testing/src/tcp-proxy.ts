import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface TcpProxyOptions {
  /** `{ host, port }`, or `{ path }` for a Unix socket. */
  readonly target: NetConnectOpts;
}

/** Every fault lasts until `resume()`; dropped connections stay dead after it. */
export interface TcpProxy {
  /** Listens on 127.0.0.1. */
  readonly port: number;
  /** Number of open client connections. */
  connections(): number;
  /** Drops every byte of open and new connections. A connect still succeeds, but no response ever arrives. */
  blackhole(): void;
  /** Drops every byte of the open connections. New ones pass, as after a firewall has lost its connection table. */
  forget(): void;
  /** Delays every packet by this many milliseconds, in each direction. */
  delay(ms: number): void;
  /** Ends the open connections with a TCP reset. New ones pass. */
  reset(): void;
  /** Refuses new connections (ECONNREFUSED). Open ones continue. */
  refuse(): Promise<void>;
  /** Ends the fault. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface Flow {
  readonly client: Socket;
  upstream: Socket | undefined;
  isSwallowed: boolean;
  delayed: Promise<void> | undefined;
}

/** Starts a TCP proxy that simulates network faults. */
export async function startTcpProxy({ target }: TcpProxyOptions): Promise<TcpProxy> {
  const flows = new Set<Flow>();
  let isSwallowing = false;
  let delayMs = 0;

  const server = createServer(client => {
    const flow: Flow = { client, upstream: undefined, isSwallowed: isSwallowing, delayed: undefined };
    flows.add(flow);
    client.setNoDelay(true);
    client.on('error', () => undefined);
    client.on('close', () => endUpstream(flow));
    client.on('data', chunk => forward(flow, () => flow.upstream?.write(chunk)));
    if (flow.isSwallowed) return;
    const upstream = connect(target);
    flow.upstream = upstream;
    upstream.setNoDelay(true);
    upstream.on('error', () => undefined);
    upstream.on('data', chunk => forward(flow, () => client.write(chunk)));
    upstream.on('close', () => forward(flow, () => client.destroy()));
  });

  /** A dropped connection never transfers another byte in either direction, and neither end is notified. */
  function forward(flow: Flow, move: () => unknown): void {
    if (flow.isSwallowed) return;
    if (delayMs === 0 && flow.delayed === undefined) {
      move();
      return;
    }
    const earlier = flow.delayed;
    // The order is kept also when the delay becomes shorter.
    const own = Promise.all([earlier, pause(delayMs, undefined, { ref: false })]).then(() => {
      if (flow.delayed === own) flow.delayed = undefined;
      if (!flow.isSwallowed && flows.has(flow)) move();
    });
    flow.delayed = own;
  }

  function endUpstream(flow: Flow): void {
    if (flow.isSwallowed && flow.upstream !== undefined) return;
    cut(flow, 'destroy');
  }

  function cut(flow: Flow, how: 'destroy' | 'resetAndDestroy'): void {
    flows.delete(flow);
    flow.client[how]();
    // A close instead of a reset: the target may be a Unix socket, which has no reset.
    flow.upstream?.destroy();
  }

  function swallowFlows(): void {
    for (const flow of flows) flow.isSwallowed = true;
  }

  async function listen(wanted: number): Promise<number> {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const port = await listen(0);
  return {
    port,
    connections: () => [...flows].filter(({ client }) => !client.destroyed).length,
    blackhole() {
      isSwallowing = true;
      swallowFlows();
    },
    forget: swallowFlows,
    delay(ms) {
      delayMs = ms;
    },
    reset() {
      for (const flow of flows) cut(flow, 'resetAndDestroy');
    },
    async refuse() {
      if (server.listening) server.close();
    },
    async resume() {
      isSwallowing = false;
      delayMs = 0;
      // The keep-alive probes of the target have given up these connections by now; otherwise they would stay forever.
      for (const flow of flows) if (flow.isSwallowed) flow.upstream?.destroy();
      if (!server.listening) await listen(port);
    },
    async close() {
      for (const flow of flows) cut(flow, 'destroy');
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
