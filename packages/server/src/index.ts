export { type App, type Connection, createApp } from './app.ts';
export { type Deps, type DepsOptions, openDeps } from './deps.ts';
export { readSettings, type Settings, SettingsError } from './env.ts';
export { prepareInstallation } from './features/installation/index.ts';
export { createLog, type Log } from './platform/log.ts';
export { migrate } from './platform/migrate.ts';
export { type RunningServer, run } from './server.ts';
