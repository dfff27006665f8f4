/** @param {readonly number[]} values */
export function median(values) {
  return percentile(values, 0.5);
}

/** @param {readonly number[]} values @param {number} share 0.99 for p99 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/**
 * Measures subjects in turn, A B A B …, so that other load of the machine affects all of them alike. The ratio to the
 * first subject is the median of the ratios within each round.
 *
 * @param {Record<string, (seconds: number) => Promise<{ rate: number, latenciesMs?: number[] }>>} subjects
 * @param {{ rounds: number, seconds: number, warmUpSeconds?: number }} plan
 */
export async function interleave(subjects, { rounds, seconds, warmUpSeconds = 1 }) {
  const entries = Object.entries(subjects);
  for (const [, measure] of entries) await measure(warmUpSeconds);
  const results = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of entries) results[name].push(await measure(seconds));
  }
  const [[first]] = entries;
  return Object.fromEntries(entries.map(([name]) => [name, summary(results[name], results[first])]));
}

function summary(rounds, base) {
  const latenciesMs = rounds.flatMap(round => round.latenciesMs ?? []);
  return {
    rate: median(rounds.map(round => round.rate)),
    ratio: median(rounds.map((round, index) => round.rate / base[index].rate)),
    ...(latenciesMs.length > 0 && { p50Ms: median(latenciesMs), p99Ms: percentile(latenciesMs, 0.99) }),
  };
}
