import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A TCP proxy that simulates network faults. It is plain JavaScript so that benchmarks without a build step can load it.
 *
 * @param {import('./tcp-proxy.mjs').TcpProxyOptions} options
 * @returns {Promise<import('./tcp-proxy.mjs').TcpProxy>}
 */
export async function startTcpProxy({ target }) {
  const flows = new Set();
  let isSwallowing = false;
  let delayMs = 0;

  const server = createServer(client => {
    const flow = { client, upstream: undefined, isSwallowed: isSwallowing, delayed: undefined };
    flows.add(flow);
    client.setNoDelay(true);
    client.on('error', () => undefined);
    client.on('close', () => endUpstream(flow));
    client.on('data', chunk => forward(flow, () => flow.upstream.write(chunk)));
    if (flow.isSwallowed) return;
    flow.upstream = connect(target);
    flow.upstream.setNoDelay(true);
    flow.upstream.on('error', () => undefined);
    flow.upstream.on('data', chunk => forward(flow, () => client.write(chunk)));
    flow.upstream.on('close', () => forward(flow, () => client.destroy()));
  });

  /** A dropped connection never transfers another byte in either direction, and neither end is notified. */
  function forward(flow, move) {
    if (flow.isSwallowed) return;
    if (delayMs === 0 && flow.delayed === undefined) return move();
    const earlier = flow.delayed;
    // The order is kept also when the delay becomes shorter.
    const own = Promise.all([earlier, pause(delayMs, undefined, { ref: false })]).then(() => {
      if (flow.delayed === own) flow.delayed = undefined;
      if (!flow.isSwallowed && flows.has(flow)) move();
    });
    flow.delayed = own;
  }

  function endUpstream(flow) {
    if (flow.isSwallowed && flow.upstream !== undefined) return;
    cut(flow, 'destroy');
  }

  function cut(flow, how) {
    flows.delete(flow);
    flow.client[how]();
    // A close instead of a reset: the target may be a Unix socket, which has no reset.
    flow.upstream?.destroy();
  }

  function swallowFlows() {
    for (const flow of flows) flow.isSwallowed = true;
  }

  async function listen(port) {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server.address().port;
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
