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
  const flows = createFlows(target);
  const server = createServer(flows.open);
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const port = await listen(0);
  return {
    port,
    connections: flows.count,
    blackhole: () => flows.swallow({ isForNewOnes: true }),
    forget: () => flows.swallow({ isForNewOnes: false }),
    delay: flows.delay,
    reset: () => flows.cutAll('resetAndDestroy'),
    async refuse() {
      if (server.listening) server.close();
    },
    async resume() {
      flows.resume();
      if (!server.listening) await listen(port);
    },
    async close() {
      flows.cutAll('destroy');
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

interface Flows {
  /** Connects a new client to the target. */
  open(client: Socket): void;
  count(): number;
  /** Drops every byte of the open flows, and of new ones until `resume()`. */
  swallow(options: { isForNewOnes: boolean }): void;
  delay(ms: number): void;
  resume(): void;
  cutAll(how: Cut): void;
}

type Cut = 'destroy' | 'resetAndDestroy';

/** The open connections with the faults that hold for them. */
function createFlows(target: NetConnectOpts): Flows {
  const flows = new Set<Flow>();
  let isSwallowing = false;
  let delayMs = 0;

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

  function cut(flow: Flow, how: Cut): void {
    flows.delete(flow);
    flow.client[how]();
    // A close instead of a reset: the target may be a Unix socket, which has no reset.
    flow.upstream?.destroy();
  }

  return {
    open(client) {
      const flow: Flow = { client, upstream: undefined, isSwallowed: isSwallowing, delayed: undefined };
      flows.add(flow);
      joinClient(flow, { forward, cut });
      if (!flow.isSwallowed) joinUpstream(flow, connect(target), forward);
    },
    count: () => [...flows].filter(({ client }) => !client.destroyed).length,
    swallow({ isForNewOnes }) {
      if (isForNewOnes) isSwallowing = true;
      for (const flow of flows) flow.isSwallowed = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    resume() {
      isSwallowing = false;
      delayMs = 0;
      // The keep-alive probes of the target have given up these connections by now; otherwise they would stay forever.
      for (const flow of flows) if (flow.isSwallowed) flow.upstream?.destroy();
    },
    cutAll(how) {
      for (const flow of flows) cut(flow, how);
    },
  };
}

type Forward = (flow: Flow, move: () => unknown) => void;

function joinClient(flow: Flow, { forward, cut }: { forward: Forward; cut(flow: Flow, how: Cut): void }): void {
  const { client } = flow;
  client.setNoDelay(true);
  client.on('error', () => undefined);
  client.on('data', chunk => forward(flow, () => flow.upstream?.write(chunk)));
  client.on('close', () => {
    if (flow.isSwallowed && flow.upstream !== undefined) return;
    cut(flow, 'destroy');
  });
}

function joinUpstream(flow: Flow, upstream: Socket, forward: Forward): void {
  flow.upstream = upstream;
  upstream.setNoDelay(true);
  upstream.on('error', () => undefined);
  upstream.on('data', chunk => forward(flow, () => flow.client.write(chunk)));
  upstream.on('close', () => forward(flow, () => flow.client.destroy()));
}
