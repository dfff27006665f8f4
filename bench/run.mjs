import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  authenticationMeasurements,
  openAuthentication,
  revocationMeasurements,
} from './authentication-measurements.mjs';
import { openMailServer } from './delivery/mail.mjs';
import { mailMeasurements } from './delivery/mail-measurements.mjs';
import { webhookMeasurements } from './delivery/webhook-measurements.mjs';
import { openReceiver } from './delivery/webhooks.mjs';
import { firstLoadMeasurements, openFirstLoad } from './first-load/first-load.mjs';
import { measurements } from './measurements.mjs';
import { dashboardMeasurements } from './million/dashboard-measurements.mjs';
import { openMillion } from './million/million.mjs';
import { millionMeasurements } from './million/million-measurements.mjs';
import { peerMeasurements } from './peers/measurements.mjs';
import { openPeers } from './peers/peers.mjs';
import { root } from './processes.mjs';
import { tableOf } from './table.mjs';
import { openWorld } from './world.mjs';

/** What is measured where. `million` takes minutes to fill the first time, and `peers` installs another product. */
const worlds = [
  { open: openWorld, measurements },
  { open: openMailServer, measurements: mailMeasurements },
  { open: openReceiver, measurements: webhookMeasurements },
  { open: openAuthentication, measurements: authenticationMeasurements },
  { open: openWorld, measurements: revocationMeasurements },
  { open: openMillion, measurements: { ...millionMeasurements, ...dashboardMeasurements } },
  { open: openFirstLoad, measurements: firstLoadMeasurements },
  { open: openPeers, measurements: peerMeasurements },
];

/** Names for several measurements, which run only when they are named. */
const groups = {
  million: millionMeasurements,
  dashboard: { ...dashboardMeasurements, ...firstLoadMeasurements },
  peers: peerMeasurements,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string', default: join(root, 'packages/server/dist/main.js') },
    beside: { type: 'string' },
  },
});
const named = positionals.flatMap(name => Object.keys(groups[name] ?? { [name]: undefined }));
const usual = [
  measurements,
  mailMeasurements,
  webhookMeasurements,
  authenticationMeasurements,
  revocationMeasurements,
].flatMap(Object.keys);
const names = named.length > 0 ? named : usual;
const known = worlds.flatMap(world => Object.keys(world.measurements));
const unknown = names.find(name => !known.includes(name));
if (unknown !== undefined) {
  process.stderr.write(
    `There is no measurement "${unknown}". There are: million, dashboard, peers, ${known.join(', ')}.\n`,
  );
  process.exit(2);
}

const startedAt = performance.now();
const loadBefore = loadavg()[0].toFixed(1);
const rows = [];
for (const { open, measurements } of worlds) {
  const wanted = names.filter(name => Object.hasOwn(measurements, name));
  if (wanted.length > 0)
    rows.push(
      ...(await measure(
        open,
        wanted.map(name => [name, measurements[name]]),
      )),
    );
}

const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version, loadBefore };
const file = join(root, '.cache/bench', `${new Date().toISOString().replaceAll(':', '-')}.json`);
await mkdir(join(root, '.cache/bench'), { recursive: true });
await writeFile(file, JSON.stringify({ machine, measured: rows }, null, 2));
process.stdout.write(`\n${tableOf(rows)}\n\n`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
process.stdout.write(`${machine.cores} × ${machine.model}, Node ${machine.node}, load average ${loadBefore} before\n`);
process.stdout.write(`${seconds} s; the same in numbers: ${file}\n`);

async function measure(open, entries) {
  const world = await open({ main: values.server, beside: values.beside });
  const rows = [];
  try {
    for (const [name, measure] of entries) {
      process.stderr.write(`${name} …\n`);
      rows.push(...(await measure(world)));
    }
  } finally {
    await world.close();
  }
  return rows;
}
