export { type App, type Connection, createApp } from './app.ts';
export { type Deps, type DepsOptions, openDeps } from './deps.ts';
export { readSettings, type Settings, SettingsError } from './env.ts';
export { prepareInstallation } from './features/installation/index.ts';
export { providerTokenPurposes } from './features/oauth/provider-tokens.ts';
export {
  giveToOwner,
  openClientSecret,
  openSmtpPassword,
  sealClientSecret,
  sealSmtpPassword,
} from './features/projects/index.ts';
export { totpSecretPurpose } from './features/users/index.ts';
export { openKeys, sealKeys } from './features/webhooks/secrets.ts';
export { makeSecret } from './features/webhooks/signature.ts';
export type { Queryable, Transaction } from './platform/db.ts';
export { startEmbeddedPostgres } from './platform/embedded-postgres/index.ts';
export {
  changeInstallationSecret,
  forgetPreviousSecret,
  installationSecret,
  previousInstallationSecret,
} from './platform/key-file.ts';
export { createLog, type Log } from './platform/log.ts';
export { migrate, readMigrations } from './platform/migrate.ts';
export { notify } from './platform/notices.ts';
export { assertKeepsSession } from './platform/pooler.ts';
export { randomSecret } from './platform/random.ts';
export { createSecrets, type Secrets } from './platform/secrets.ts';
export { rotateSecret, type SecretRotationOutcome } from './rotate-secret.ts';
export { type RunningServer, run } from './server.ts';
