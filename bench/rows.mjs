import { median, percentile } from './statistics.mjs';

/**
 * The row of a rate beside the base of its run.
 *
 * @param {string} what
 * @param {{ rate: number, ratio: number, p50Ms?: number, p99Ms?: number }} result
 * @param {number} [budget] the least ratio
 */
export function rateRow(what, { rate, ratio, p50Ms, p99Ms }, budget) {
  const latency = p50Ms === undefined ? '' : `, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const isCompared = budget !== undefined;
  return {
    what,
    value: { rate, ratio, p50Ms, p99Ms },
    text: `${rate.toFixed(0)}/s${latency}${isCompared ? `, ratio ${ratio.toFixed(2)}` : ''}`,
    budget: isCompared ? `>= ${budget}` : '',
    isKept: isCompared ? ratio >= budget : undefined,
  };
}

/**
 * @param {string} what
 * @param {number[]} latenciesMs
 * @param {{ p50Ms?: number, p99Ms?: number }} [budget] the most that one of the two may take
 */
export function latencyRow(what, latenciesMs, budget = {}) {
  const p50Ms = median(latenciesMs);
  const p99Ms = percentile(latenciesMs, 0.99);
  const row = { what, value: { p50Ms, p99Ms }, text: `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms` };
  if (budget.p50Ms !== undefined) return { ...row, budget: `p50 <= ${budget.p50Ms} ms`, isKept: p50Ms <= budget.p50Ms };
  if (budget.p99Ms !== undefined) return { ...row, budget: `p99 <= ${budget.p99Ms} ms`, isKept: p99Ms <= budget.p99Ms };
  return { ...row, budget: '' };
}
