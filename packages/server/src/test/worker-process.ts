import { allWork } from '../compose.ts';
import { openDeps } from '../deps.ts';
import { readSettings } from '../env.ts';
import { createLog } from '../platform/observability/log.ts';
import { startJobs } from '../platform/queue/jobs.ts';

/** The job worker of a server as a separate process, for tests that kill it. */
const { connection, secret, environment } = JSON.parse(process.argv[2] ?? '{}');
const log = createLog({ level: 'warn' });
const deps = await openDeps({ settings: readSettings(environment), secret, connection, log });
startJobs({ connection, ...allWork(deps), log });
