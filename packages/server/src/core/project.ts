import type { ProjectConfig } from './project-config.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The keys of a key set; each kind has an access level. */
export type KeyKind = 'publishableClientKey' | 'secretServerKey' | 'superSecretAdminKey';

/** A project as a request sees it. */
export interface Project {
  readonly id: string;
  readonly displayName: string;
  readonly config: ProjectConfig;
}

/** A project with the data that every request needs. */
export interface LoadedProject {
  readonly project: Project;
  readonly signingKeys: SigningKeys;
  /** Expiry and set of each usable key, by kind and hash. */
  readonly keys: ReadonlyMap<string, { readonly setId: string; readonly expiresAtMillis: number }>;
}
