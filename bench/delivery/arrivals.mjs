import { setTimeout as delay } from 'node:timers/promises';

/** An item that has not arrived by then is lost: the longest pause before a retry is shorter. */
const lostAfterMs = 120_000;
/** Emails or webhooks per second from a full queue. */
const queueBudget = 1_000;

/** Counts the emails or webhooks that arrive at a receiver. Duplicates are counted separately. */
export function createArrivals() {
  const seen = new Set();
  let copies = 0;
  let onArrival = () => undefined;
  return {
    note(id) {
      seen.add(id);
      copies++;
      onArrival();
    },
    count: () => seen.size,
    copies: () => copies,
    /** Resolves when this many have arrived, or when the time limit is over. */
    waitFor(count) {
      const all = new Promise(resolve => {
        onArrival = () => seen.size >= count && resolve();
        onArrival();
      });
      return Promise.race([all, delay(lostAfterMs, undefined, { ref: false })]);
    },
  };
}

/**
 * From the first request to the last arrival.
 *
 * @param {{ arrivals: ReturnType<typeof createArrivals> }} sink
 * @param {{ what: string, count: number, send: () => Promise<unknown> }} sent
 */
export async function throughputRow({ arrivals }, { what, count, send }) {
  const before = arrivals.count();
  const startedAt = performance.now();
  await send();
  await arrivals.waitFor(before + count);
  const rate = ((arrivals.count() - before) * 1000) / (performance.now() - startedAt);
  return { what: `${what}, ${count}`, value: rate, text: `${rate.toFixed(0)}/s`, budget: '' };
}

/**
 * From the commit that fills the queue to the last arrival: the queue and the deliveries, without requests.
 *
 * @param {{ arrivals: ReturnType<typeof createArrivals> }} sink
 * @param {{ what: string, count: number, fill: () => Promise<unknown> }} filled
 */
export async function queueRow({ arrivals }, { what, count, fill }) {
  const before = arrivals.count();
  await fill();
  const startedAt = performance.now();
  await arrivals.waitFor(before + count);
  const arrived = arrivals.count() - before;
  const rate = (arrived * 1000) / (performance.now() - startedAt);
  return {
    what: `${what}, ${count}`,
    value: { rate, lost: count - arrived },
    text: `${rate.toFixed(0)}/s${arrived < count ? `, ${count - arrived} lost` : ''}`,
    budget: `>= ${queueBudget}/s`,
    isKept: rate >= queueBudget && arrived === count,
  };
}

/**
 * Counts lost and duplicate items when the server is killed while they are being sent (control 103).
 *
 * @param {{ sink: { arrivals: ReturnType<typeof createArrivals> }, restart: () => Promise<void> }} world
 * @param {{ what: string, count: number, beforeKill: number, send: () => Promise<unknown> }} sent
 */
export async function killedRow({ sink: { arrivals }, restart }, { what, count, beforeKill, send }) {
  const [before, copiesBefore] = [arrivals.count(), arrivals.copies()];
  await send();
  await arrivals.waitFor(before + beforeKill);
  await restart();
  await arrivals.waitFor(before + count);
  const arrived = arrivals.count() - before;
  const [lost, twice] = [count - arrived, arrivals.copies() - copiesBefore - arrived];
  return {
    what: `${what} after a kill -9 in the middle of ${count}`,
    value: { lost, twice },
    text: `${lost === 0 ? 'none' : lost} lost, ${twice} twice`,
    budget: 'none lost',
    isKept: lost === 0,
  };
}
