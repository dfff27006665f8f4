import { setTimeout as pause } from 'node:timers/promises';
import { startLoad } from '../load.mjs';
import { playEach, summarizeCalls } from '../play.mjs';
import { selectFaults, tableOf } from '../report.mjs';
import { openRevocation } from '../revocation.mjs';
import { measureSetting } from '../setting.mjs';
import { faults } from './faults.mjs';
import { missingPackages } from './programs.mjs';
import { openStage } from './stage.mjs';

/** Delayed effects of a fault appear within this time. */
const afterMs = 5_000;
/** All processes have the key in memory by then. */
const beforeRevocationMs = 1_000;
const revocationMs = 3_000;
/** Several sign-ins at once: one that waits must not hide that another one succeeds. */
const loops = { 'sign-in': 3 };

/** Faults of a whole installation: three servers, a pooler, a proxy, three PostgreSQL under Patroni. */
export const failoverDrill = {
  page: 'docs/operations/failover.md',
  faults,
  missing:
    missingPackages.length === 0 ? undefined : `these packages of Debian are missing: ${missingPackages.join(', ')}`,
  /** @returns the rows that were played, and the report */
  async run({ main, names }) {
    const { played, notPlayed } = selectFaults(faults, names);
    const rows = await playAll(played, main);
    return { rows, report: [tableOf(head, rows.map(cellsOf)), ...notPlayed].join('\n\n') };
  },
};

async function playAll(entries, main) {
  const stage = await openStage({ main });
  try {
    const load = await startLoad(stage, loops);
    const rows = await playEach(entries, fault => play(fault, { stage, load }));
    await load.stop();
    return rows;
  } finally {
    await stage.close();
  }
}

async function play({ title, seconds, begin }, { stage, load }) {
  await stage.cluster.whole();
  if (!(await load.isHealthy())) throw new Error(`the servers are not healthy before: ${title}`);
  const beganAt = performance.now();
  const end = await begin(stage);
  await pause(seconds * 1_000);
  await end?.();
  const isHealthy = await load.isHealthy();
  await pause(afterMs);
  const now = performance.now();
  const { during, counts } = summarizeCalls(load.calls, beganAt, now);
  return {
    title,
    ...counts,
    lost: await load.lostWrites(),
    isHealthy,
    withoutSignInSeconds: longestGapMs(during, beganAt, now) / 1_000,
    revokedSeconds: await revoke(stage),
    settingSeconds: await measureSetting(stage),
    memoryMb: Math.max(...stage.servers.map(server => server.memoryMb())),
  };
}

/** The longest time between two sign-ins that succeeded. */
function longestGapMs(calls, from, to) {
  const ends = calls
    .filter(({ kind, endedAt, error }) => kind === 'sign-in' && endedAt !== undefined && error === undefined)
    .map(({ endedAt }) => endedAt)
    .sort((one, other) => one - other);
  const moments = [from, ...ends, to];
  return Math.max(...moments.slice(1).map((moment, index) => moment - moments[index]));
}

async function revoke(stage) {
  const revocation = await openRevocation(stage);
  await pause(beforeRevocationMs);
  await revocation.revoke();
  await pause(revocationMs);
  return revocation.close();
}

const head = [
  'Fault',
  'Acknowledged writes lost',
  'Longest time without a sign-in',
  'Calls that failed',
  'Afterwards: revoked key accepted for',
  'Afterwards: changed setting seen after',
  'Memory',
];

function cellsOf(row) {
  return [
    row.title,
    String(row.lost),
    row.isHealthy ? `${row.withoutSignInSeconds.toFixed(1)} s` : 'not over after 60 s',
    `${row.failed} of ${row.calls}${row.errors.length === 0 ? '' : `: ${row.errors.join(', ')}`}`,
    `${row.revokedSeconds.toFixed(1)} s`,
    `${row.settingSeconds.toFixed(1)} s`,
    `${row.memoryMb} MB`,
  ];
}
