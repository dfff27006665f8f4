import type { ProjectConfig } from './project-config.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The keys of a key set; each kind has an access level. */
export type KeyKind = 'publishableClientKey' | 'secretServerKey' | 'superSecretAdminKey';

/** A project as a request sees it. */
export interface Project {
  readonly id: string;
  readonly displayName: string;
  readonly config: ProjectConfig;
  /** The project's own limits for emails count only when they are lower than the usual ones. */
  readonly capsMailLimits: boolean;
}

/** A project with the data that every request needs. */
export interface LoadedProject {
  readonly project: Project;
  readonly signingKeys: SigningKeys;
  /** Expiry and set of each usable key, by kind and hash. */
  readonly keys: ReadonlyMap<string, { readonly setId: string; readonly expiresAtMillis: number }>;
}
