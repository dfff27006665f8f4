export { ownInstallation } from './ownership.ts';
export { prepareInstallation } from './prepare.ts';
export { fitsSecretCheck } from './secret-check.ts';
export { usableSharedProviders } from './shared-providers.ts';
export { selectInstallation } from './store.ts';
