import { setTimeout as pause } from 'node:timers/promises';
import { faults, prepareFailingWrites } from './faults.mjs';
import { startLoad } from './load.mjs';
import { playEach, summarizeCalls } from './play.mjs';
import { selectFaults, tableOf } from './report.mjs';
import { openRevocation } from './revocation.mjs';
import { openStage } from './stage.mjs';

/** The key is revoked after this time, or right after a shorter fault. */
const revokeAfterMs = 1_000;
/** Delayed effects of a fault appear within this time. */
const afterMs = 5_000;

/** Faults between two server processes and one PostgreSQL. */
export const faultsDrill = {
  page: 'docs/operations/faults.md',
  faults,
  /** @returns the rows that were played, and the report */
  async run({ main, names }) {
    const { played, notPlayed } = selectFaults(faults, names);
    const rows = [];
    for (const hasPooler of [false, true]) {
      const here = played.filter(([, fault]) => (fault.hasPooler ?? false) === hasPooler);
      if (here.length > 0) rows.push(...(await playAll(here, { main, hasPooler })));
    }
    return { rows, report: [tableOf(head, rows.map(cellsOf)), ...notPlayed].join('\n\n') };
  },
};

async function playAll(entries, options) {
  const stage = await openStage(options);
  try {
    await prepareFailingWrites(stage);
    const load = await startLoad(stage);
    const rows = await playEach(entries, fault => play(fault, { stage, load }));
    await load.stop();
    return rows;
  } finally {
    await stage.close();
  }
}

async function play({ title, seconds, begin }, { stage, load }) {
  if (!(await load.isHealthy())) throw new Error(`the servers are not healthy before: ${title}`);
  const revocation = await openRevocation({ keys: stage.keys, servers: [stage.first, stage.second] });
  const beganAt = performance.now();
  const end = await begin(stage);
  const revoking = pause(Math.min(revokeAfterMs, seconds * 1_000)).then(() => revocation.revoke());
  await pause(seconds * 1_000);
  await end?.();
  const isHealthy = await load.isHealthy();
  await Promise.all([revoking, pause(afterMs)]);
  const now = performance.now();
  const { during, counts } = summarizeCalls(load.calls, beganAt, now);
  return {
    title,
    ...counts,
    lost: await load.lostWrites(),
    longestSeconds: Math.max(...during.map(({ startedAt, endedAt = now }) => endedAt - startedAt)) / 1_000,
    isHealthy,
    revokedSeconds: await revocation.close(),
  };
}

const head = ['Fault', 'Acknowledged writes lost', 'Longest call', 'Calls that failed', 'Revoked key accepted for'];

function cellsOf(row) {
  return [
    row.title,
    String(row.lost),
    row.isHealthy ? `${row.longestSeconds.toFixed(1)} s` : 'not over after 60 s',
    `${row.failed} of ${row.calls}${row.errors.length === 0 ? '' : `: ${row.errors.join(', ')}`}`,
    `${row.revokedSeconds.toFixed(1)} s`,
  ];
}
