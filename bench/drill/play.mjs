import { countEqual } from './report.mjs';

/** Plays faults one after the other, and writes each row to the terminal. @returns the rows */
export async function playEach(entries, play) {
  const rows = [];
  for (const [name, fault] of entries) {
    process.stderr.write(`${name} …\n`);
    const row = await play(fault);
    process.stderr.write(`${JSON.stringify(row)}\n`);
    rows.push(row);
  }
  return rows;
}

/** The calls that were under way between two times, and how they failed. */
export function summarizeCalls(calls, beganAt, now) {
  const during = calls.filter(({ endedAt = now }) => endedAt >= beganAt);
  const failed = during.filter(({ error }) => error !== undefined);
  const errors = countEqual(failed.map(({ kind, error }) => `${kind} ${error}`));
  return { during, counts: { calls: during.length, failed: failed.length, errors } };
}
