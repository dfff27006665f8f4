export { ownInstallation } from './ownership.ts';
export { prepareInstallation } from './prepare.ts';
export { selectInstallation } from './store.ts';
