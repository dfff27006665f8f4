import { type AnyAppOptions, requireVariable, type ServerKeys } from './config.ts';
import type { Variables } from './env.ts';

// In a separate module, so that a browser bundle does not contain these names.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const secretServerKeyVariables: Variables = [
  () => process.env.TESSERA_SECRET_SERVER_KEY,
  () => process.env.STACK_SECRET_SERVER_KEY,
];

const superSecretAdminKeyVariables: Variables = [
  () => process.env.TESSERA_SUPER_SECRET_ADMIN_KEY,
  () => process.env.STACK_SUPER_SECRET_ADMIN_KEY,
];

/** The keys of a server app. With an owner session there are none. */
export function serverKeys(options: AnyAppOptions): ServerKeys {
  if (options.projectOwnerSession) return {};
  return {
    secretServerKey:
      options.secretServerKey ??
      requireVariable(secretServerKeyVariables, 'secretServerKey', 'TESSERA_SECRET_SERVER_KEY'),
  };
}

/** The keys of an admin app. With an owner session there are none. */
export function adminKeys(options: AnyAppOptions): ServerKeys {
  if (options.projectOwnerSession) return {};
  const superSecretAdminKey =
    options.superSecretAdminKey ??
    requireVariable(superSecretAdminKeyVariables, 'superSecretAdminKey', 'TESSERA_SUPER_SECRET_ADMIN_KEY');
  return { ...serverKeys(options), superSecretAdminKey };
}
