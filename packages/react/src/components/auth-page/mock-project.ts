import type { AuthConfig } from '../../sign-in/auth-state';

/** For demonstrations: replaces the project. */
export interface MockProject {
  readonly displayName?: string | undefined;
  readonly logoUrl?: string | undefined;
  readonly config: AuthConfig;
}
