import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failoverDrill } from './drill/failover/run.mjs';
import { writeReport } from './drill/report.mjs';
import { faultsDrill } from './drill/run-faults.mjs';
import { root } from './processes.mjs';

const main = join(root, 'packages/server/dist/main.js');
const drills = { faults: faultsDrill, failover: failoverDrill };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const [name, ...names] = positionals;
const drill = Object.hasOwn(drills, name ?? '') ? drills[name] : undefined;
if (drill === undefined || names.some(one => !Object.hasOwn(drill.faults, one))) {
  for (const [known, { faults }] of Object.entries(drills)) {
    process.stderr.write(`npm run drill -- ${known} [--write] [${Object.keys(faults).join(' ')}]\n`);
  }
  process.exit(2);
}
if (drill.missing !== undefined) {
  process.stdout.write(`The drill ${name} was skipped: ${drill.missing}.\n`);
  process.exit(0);
}

const { rows, report } = await drill.run({ main, names });
process.stdout.write(`\n${report}\n`);
if (values.write) await writeReport(drill.page, report);
// Hanging calls must not keep the drill running.
process.exit(rows.some(({ lost }) => lost > 0) ? 1 : 0);
