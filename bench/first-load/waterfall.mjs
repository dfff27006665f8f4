/**
 * A request of a page: when it was sent, when its first byte and its last byte came, counted from the navigation.
 *
 * @typedef {{ path: string, sentMs: number, answeredMs: number, endedMs: number, bytes: number, initiator: string }} PageRequest
 */

/**
 * Records the requests of a page from now on.
 *
 * @param {import('playwright-core').CDPSession} session
 * @returns {Promise<() => PageRequest[]>}
 */
export async function recordRequests(session) {
  const byId = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, initiator }) => {
    if (!request.url.startsWith('http')) return;
    byId.set(requestId, {
      path: `${request.method === 'GET' ? '' : `${request.method} `}${new URL(request.url).pathname}`,
      sentAt: timestamp,
      initiator: initiator.type,
    });
  });
  session.on('Network.responseReceived', ({ requestId, timestamp }) => {
    const request = byId.get(requestId);
    if (request !== undefined) request.answeredAt = timestamp;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = byId.get(requestId);
    if (request !== undefined) Object.assign(request, { endedAt: timestamp, bytes: encodedDataLength });
  });
  await session.send('Network.enable');

  return () => {
    const ended = [...byId.values()].filter(({ endedAt }) => endedAt !== undefined);
    const startedAt = ended[0]?.sentAt ?? 0;
    const sinceStart = seconds => Math.round((seconds - startedAt) * 1000);
    return ended.map(({ path, sentAt, answeredAt, endedAt, bytes, initiator }) => ({
      path,
      sentMs: sinceStart(sentAt),
      answeredMs: sinceStart(answeredAt),
      endedMs: sinceStart(endedAt),
      bytes,
      initiator,
    }));
  };
}

const width = 40;

/**
 * The requests as text, a line each: waiting is dotted, receiving is solid.
 *
 * @param {readonly PageRequest[]} requests
 */
export function waterfallOf(requests) {
  const lastMs = Math.max(...requests.map(({ endedMs }) => endedMs));
  const column = ms => Math.round((ms / lastMs) * width);
  const lines = requests.map(({ path, sentMs, answeredMs, endedMs, bytes }) => {
    const [sent, answered, ended] = [column(sentMs), column(answeredMs), column(endedMs)];
    const bar = `${' '.repeat(sent)}${'·'.repeat(answered - sent)}${'█'.repeat(Math.max(1, ended - answered))}`;
    const times = `${String(sentMs).padStart(6)} ${String(endedMs).padStart(6)} ms`;
    return `${bar.padEnd(width + 1)} ${times} ${(bytes / 1000).toFixed(1).padStart(6)} KB  ${path}`;
  });
  return lines.join('\n');
}
