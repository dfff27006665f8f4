import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { root } from './processes.mjs';

/**
 * Plays random schedules of tabs, sleeps, crashes and network faults with the client's sessions, 100,000 of each kind,
 * and compares with the model in `packages/client/src/test/schedules`. Prints what it played; a schedule after which
 * a user is signed out unintentionally ends it, with the shortest form of that schedule.
 *
 *     node bench/session-schedules.mjs [--runs 100000] [--seed 1]
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

const source = join(root, 'packages/client/src/test/schedules');
const entry = `
  import ${JSON.stringify(join(source, '../setup.ts'))};
  import * as fc from 'fast-check';
  import { runSchedule } from ${JSON.stringify(join(source, 'run.ts'))};
  import { plainSchedules, rotatingSchedules } from ${JSON.stringify(join(source, 'schedule.ts'))};
  const kinds = { plain: plainSchedules, rotating: rotatingSchedules };
  export const play = (kind, options) => fc.assert(fc.asyncProperty(kinds[kind], schedule => runSchedule(schedule)), options);
`;

const { play } = await import(pathToFileURL(await bundle(entry)).href);
for (const kind of ['plain', 'rotating']) {
  const startedAt = performance.now();
  await play(kind, { numRuns: Number(values.runs), seed: Number(values.seed) });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(`${values.runs} ${kind} schedules: no user was signed out unintentionally (${seconds} s)\n`);
}

/** The client's sources as one file that Node can run. */
async function bundle(code) {
  const folder = join(root, '.cache/bench/session-schedules');
  await mkdir(folder, { recursive: true });
  const id = '\0entry';
  const build = await rolldown({
    input: 'entry',
    cwd: root,
    platform: 'node',
    resolve: { conditionNames: ['source', 'node', 'import', 'default'] },
    plugins: [
      { name: 'entry', resolveId: name => (name === 'entry' ? id : null), load: name => (name === id ? code : null) },
    ],
  });
  // In one file: a chunk loads in real time, which passes beside that of the schedules.
  await build.write({ dir: folder, format: 'esm', entryFileNames: 'schedules.mjs', codeSplitting: false });
  await build.close();
  return join(folder, 'schedules.mjs');
}
