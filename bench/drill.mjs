import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { faults, prepareFailingWrites } from './drill/faults.mjs';
import { startLoad } from './drill/load.mjs';
import { openRevocation } from './drill/revocation.mjs';
import { openStage } from './drill/stage.mjs';
import { root } from './processes.mjs';

/** The key is revoked after this time, or right after a shorter fault. */
const revokeAfterMs = 1_000;
/** Delayed effects of a fault appear within this time. */
const afterMs = 5_000;
const main = join(root, 'packages/server/dist/main.js');
const page = join(root, 'docs/operations/faults.md');
const marks = ['<!-- drill: begin -->', '<!-- drill: end -->'];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const [drill, ...names] = positionals;
const unknown = names.find(name => !Object.hasOwn(faults, name));
if (drill !== 'faults' || unknown !== undefined) {
  process.stderr.write(`npm run drill -- faults [--write] [${Object.keys(faults).join(' ')}]\n`);
  process.exit(2);
}

const wanted = Object.entries(faults).filter(([name]) => names.length === 0 || names.includes(name));
const played = wanted.filter(([, { missing }]) => missing === undefined);
const notPlayed = wanted.filter(([, { missing }]) => missing !== undefined);
const rows = [];
for (const hasPooler of [false, true]) {
  const here = played.filter(([, fault]) => (fault.hasPooler ?? false) === hasPooler);
  if (here.length > 0) rows.push(...(await playAll(here, hasPooler)));
}
const report = [tableOf(rows), ...notPlayed.map(([, { title, missing }]) => `Not played: ${title}. ${missing}.`)];
process.stdout.write(`\n${report.join('\n\n')}\n`);
if (values.write) await writeReport(report.join('\n\n'));
// Hanging calls must not keep the drill running.
process.exit(rows.some(({ lost }) => lost > 0) ? 1 : 0);

async function playAll(entries, hasPooler) {
  const stage = await openStage({ main, hasPooler });
  try {
    await prepareFailingWrites(stage);
    const load = await startLoad(stage);
    const rows = [];
    for (const [name, fault] of entries) {
      process.stderr.write(`${name} …\n`);
      const row = await play(fault, { stage, load });
      process.stderr.write(`${JSON.stringify(row)}\n`);
      rows.push(row);
    }
    await load.stop();
    return rows;
  } finally {
    await stage.close();
  }
}

async function play({ title, seconds, begin }, { stage, load }) {
  if (!(await load.isHealthy())) throw new Error(`the servers are not healthy before: ${title}`);
  const revocation = await openRevocation(stage);
  const beganAt = performance.now();
  const end = await begin(stage);
  const revoking = pause(Math.min(revokeAfterMs, seconds * 1_000)).then(() => revocation.revoke());
  await pause(seconds * 1_000);
  await end?.();
  const isHealthy = await load.isHealthy();
  await Promise.all([revoking, pause(afterMs)]);
  const now = performance.now();
  const during = load.calls.filter(({ endedAt = now }) => endedAt >= beganAt);
  const failed = during.filter(({ error }) => error !== undefined);
  return {
    title,
    lost: await load.lostWrites(),
    longestSeconds: Math.max(...during.map(({ startedAt, endedAt = now }) => endedAt - startedAt)) / 1_000,
    calls: during.length,
    isHealthy,
    failed: failed.length,
    errors: counted(failed.map(({ kind, error }) => `${kind} ${error}`)),
    revokedSeconds: await revocation.close(),
  };
}

function counted(texts) {
  return [...new Set(texts)].map(text => `${texts.filter(one => one === text).length} × ${text}`);
}

function tableOf(rows) {
  const cells = rows.map(row => [
    row.title,
    String(row.lost),
    row.isHealthy ? `${row.longestSeconds.toFixed(1)} s` : 'not over after 60 s',
    `${row.failed} of ${row.calls}${row.errors.length === 0 ? '' : `: ${row.errors.join(', ')}`}`,
    `${row.revokedSeconds.toFixed(1)} s`,
  ]);
  const head = ['Fault', 'Acknowledged writes lost', 'Longest call', 'Calls that failed', 'Revoked key accepted for'];
  return [head, head.map(() => '---'), ...cells].map(line => `| ${line.join(' | ')} |`).join('\n');
}

async function writeReport(text) {
  const [begin, end] = marks;
  const before = await readFile(page, 'utf8');
  const [head, tail] = [before.split(begin)[0], before.split(end)[1]];
  const note = `Played on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}.`;
  await writeFile(page, `${head}${begin}\n${text}\n\n${note}\n${end}${tail}`);
}
