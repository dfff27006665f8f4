import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failoverDrill } from './drill/failover/run.mjs';
import { writeReport } from './drill/report.mjs';
import { faultsDrill } from './drill/run-faults.mjs';
import { root } from './processes.mjs';

const main = join(root, 'packages/server/dist/main.js');
const drills = { faults: faultsDrill, failover: failoverDrill };

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(usage());
  process.exit(0);
}
const [name, ...names] = positionals;
const drill = Object.hasOwn(drills, name ?? '') ? drills[name] : undefined;
if (drill === undefined) refuse(name === undefined ? 'Name a drill.' : `There is no drill ${name}.`);
const unknown = names.find(one => !Object.hasOwn(drill.faults, one));
if (unknown !== undefined) refuse(`The drill ${name} has no fault ${unknown}.`);
if (drill.missing !== undefined) {
  process.stdout.write(`The drill ${name} was skipped: ${drill.missing}.\n`);
  process.exit(0);
}

const { rows, report } = await drill.run({ main, names });
process.stdout.write(`\n${report}\n`);
if (values.write) await writeReport(drill.page, report);
// Hanging calls must not keep the drill running.
process.exit(rows.some(({ lost }) => lost > 0) ? 1 : 0);

function readArguments() {
  const options = { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
    return refuse(error.message);
  }
}

function refuse(problem) {
  process.stderr.write(`${problem}\n\n${usage()}`);
  process.exit(2);
}

function usage() {
  const commands = Object.entries(drills).map(
    ([known, { page, faults }]) => `
npm run drill -- ${known} [--write] [faults]
  Faults: ${Object.keys(faults).join(', ')}
  Report: ${page}
`,
  );
  return `Plays faults against running servers under load, and counts the acknowledged writes that were lost.
Without the names of faults it plays all of a drill. --write replaces the table in the report.
${commands.join('')}`;
}
