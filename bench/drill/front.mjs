import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';

const checkMs = 250;
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * A reverse proxy such as nginx with two upstreams: round robin among those whose `/ready` answers 200, connections kept
 * open, and the next upstream for a request that was not sent or may be repeated.
 */
export async function startFront() {
  const agent = new Agent({ keepAlive: true });
  const upstreams = new Map();
  let turn = 0;

  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray().catch(() => []));
    const first = ready();
    for (const [index, port] of first.entries()) {
      const isLast = index === first.length - 1;
      const outcome = await forward(incoming, outgoing, { agent, port, body });
      if (outcome.isAnswered) return;
      if (isLast || !(outcome.isUnsent || idempotent.has(incoming.method))) break;
    }
    outgoing.writeHead(502).end('no upstream answered');
  });

  /** All upstreams, the next one first; those that are not ready only when none is. */
  function ready() {
    const all = [...upstreams].filter(([, isReady]) => isReady).map(([port]) => port);
    const usable = all.length > 0 ? all : [...upstreams.keys()];
    const start = turn++ % Math.max(usable.length, 1);
    return [...usable.slice(start), ...usable.slice(0, start)];
  }

  const checks = setInterval(() => {
    for (const port of upstreams.keys()) {
      isReady(port).then(isReady => upstreams.has(port) && upstreams.set(port, isReady));
    }
  }, checkMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    add: port => upstreams.set(port, true),
    remove: port => upstreams.delete(port),
    close() {
      clearInterval(checks);
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function forward({ method, url, headers }, outgoing, { agent, port, body }) {
  return new Promise(resolve => {
    const upstream = request({ agent, port, host: '127.0.0.1', method, path: url, headers }, answer => {
      const { connection, 'keep-alive': _, ...endToEnd } = answer.headers;
      outgoing.writeHead(answer.statusCode, endToEnd);
      answer.pipe(outgoing);
      answer.once('error', () => outgoing.destroy());
      resolve({ isAnswered: true });
    });
    upstream.once('error', ({ code }) => resolve({ isAnswered: false, isUnsent: code === 'ECONNREFUSED' }));
    upstream.end(body);
  });
}

async function isReady(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(1_000) }).catch(() => {});
  return answer?.ok === true;
}
