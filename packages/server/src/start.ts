/** What starts a server from a command line. It is an entry of its own, since the rest is loaded during the start. */
export { readSettings } from './env.ts';
export { createLog } from './platform/observability/log.ts';
export { startServer } from './workers/start-server.ts';
