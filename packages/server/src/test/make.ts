import { randomUUID } from 'node:crypto';
import type { Route } from '@tessera/protocol';
import type { Answered, CallOptions, ProjectAccess } from '@tessera/testing/call';
import * as z from 'zod';
import type { ProjectConfig } from '../core/project-config.ts';
import type { Deps } from '../deps.ts';
import { createProject } from '../features/permissions/index.ts';
import { insertKeySet } from '../features/projects/index.ts';
import { transaction } from '../platform/database/database.ts';

export interface SignedUp {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Creates test data; contains no assertions. */
export interface Maker {
  /** Inserts a project with keys into the database, without the API of project administration. */
  project(config?: Partial<ProjectConfig>): Promise<ProjectAccess>;
  /** A user with a password, signed up through the API. */
  user(options?: { project?: ProjectAccess; email?: string; password?: string }): Promise<SignedUp>;
}

const tokens = z.object({ access_token: z.string(), refresh_token: z.string(), user_id: z.string() });
/** Longer than any session: a test that waits for the end of a session still has its keys. */
const tenYearsMs = 10 * 365 * 24 * 3600 * 1000;

export function createMaker(server: {
  deps: Deps;
  call: (route: Route, options?: CallOptions) => Promise<Answered>;
}): Maker {
  const { deps, call } = server;
  let count = 0;
  return {
    async project(config = {}) {
      const id = randomUUID();
      const keys = {
        publishableClientKey: `pck_${id}`,
        secretServerKey: `ssk_${id}`,
        superSecretAdminKey: `sak_${id}`,
      };
      const createdAtMillis = deps.clock.now();
      // Wait for the notification, so that values that the test loads afterwards stay in the cache.
      const heard = new Promise<void>(resolve => {
        deps.databaseNotifications.on('project', key => {
          if (key === id) resolve();
        });
      });
      await transaction(deps.db, async tx => {
        await createProject(tx, { id, displayName: 'A project', description: '', config, createdAtMillis }, deps);
        const set = { projectId: id, description: '', source: 'project', keys, createdAtMillis } as const;
        await insertKeySet(tx, { ...set, expiresAtMillis: createdAtMillis + tenYearsMs });
      });
      await heard;
      return { id, ...keys };
    },
    async user({ project, email = `person-${++count}@example.com`, password = 'correct horse battery' } = {}) {
      const body = { email, password, verification_callback_url: 'http://localhost:3000/verify' };
      const answer = await call('POST /auth/password/sign-up', { project, body });
      const given = tokens.parse(answer.json);
      const { user_id: userId, access_token: accessToken, refresh_token: refreshToken } = given;
      return { userId, email, password, accessToken, refreshToken };
    },
  };
}
