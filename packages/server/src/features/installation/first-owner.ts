import { firstOwnerEndpoints, KnownError } from '@tessera/protocol';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokens } from '../../platform/crypto/access-tokens.ts';
import type { Passwords } from '../../platform/crypto/passwords.ts';
import { type Database, type Transaction, transaction } from '../../platform/database/database.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { RateLimits } from '../../platform/rate-limits/index.ts';
import { assertStrongPassword, type CreateUser, normalizedEmail, selectCredential } from '../accounts/users/index.ts';
import type { Mail } from '../email/queue/index.ts';
import type { Projects } from '../projects/index.ts';
import { sessionTermsOf } from '../sessions/index.ts';
import { startSession } from '../sign-in/index.ts';
import { checkCode, createCode, spendCode } from '../verification-codes/index.ts';
import { ownInstallation } from './ownership.ts';
import { lockInstallation, selectInstallation } from './store.ts';

interface FirstOwnerDeps {
  readonly mail: Mail;
  readonly settings: Pick<Settings, 'mode'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly passwords: Passwords;
  readonly projects: Projects;
  readonly accessTokens: AccessTokens;
  readonly rateLimits: RateLimits;
  readonly log: Log;
}

const kind = 'first_owner';
const projectId = 'internal';

/**
 * Creates the link with which the first owner signs up, also while sign-up is off. Each start creates one, because only
 * its hash is stored, and several processes may start at once. The first used link ends all others.
 */
export async function createOwnerLink(
  tx: Transaction,
  deps: { clock: Clock; settings: { publicUrl: string } },
): Promise<string> {
  const { code } = await createCode(tx, { projectId, kind, userId: null, address: null, data: {} }, deps);
  // The fragment is sent neither to a proxy nor in a Referer header.
  return `${deps.settings.publicUrl}/dashboard/first-owner#code=${code}`;
}

/** Creates the account of the first owner (docs/contract/decisions.md#service), in the transaction of the user creation. */
export function firstOwnerRoutes(deps: FirstOwnerDeps, createUser: CreateUser): BoundRoute[] {
  return [
    bind(firstOwnerEndpoints.signUp, call => {
      const { project, body, request, source } = call;
      if (project.id !== projectId) refuse(403, 'This belongs to the project internal.');
      const address = normalizedEmail(body.email);

      async function assertPossible(): Promise<void> {
        const { ownerUserId } = await selectInstallation(deps.db);
        if (ownerUserId !== null) refuseOwned();
        await assertStrongPassword(body.password, { project, addresses: [address] }, deps);
        const taken = await selectCredential(deps.db, projectId, address);
        if (taken !== undefined) refuse(409, 'Another account signs in with this email address.');
      }

      return withTextErrors(async () => {
        const code = await checkCode({ projectId, kind, code: body.code, by: call }, deps);
        await assertPossible();
        // Before the code is spent: when too many passwords are being hashed, the person gets a 429 and tries again.
        const passwordHash = await deps.passwords.hash(body.password, projectId);
        const terms = await sessionTermsOf(projectId, deps);
        await spendCode(deps.db, projectId, code, deps);
        return transaction(deps.db, async tx => {
          // Of two concurrent users of a link, one becomes the owner and the other gets no account.
          if ((await lockInstallation(tx)).ownerUserId !== null) refuseOwned();
          const user = await createUser(tx, project, {
            displayName: body.display_name || null,
            passwordHash,
            primaryEmail: { value: address, isVerified: false, usedForAuth: true },
            nowMillis: deps.clock.now(),
          });
          await ownInstallation(tx, { project, user, nowMillis: user.signedUpAtMillis });
          const passed = { projectId, userId: user.id, isNewUser: true, request, source, method: 'owner_link' };
          return startSession(tx, { ...passed, terms }, deps);
        });
      });
    }),
  ];
}

function refuseOwned(): never {
  refuse(409, 'This installation has an owner already.');
}

/**
 * Extensions refuse with text errors (docs/contract/decisions.md#extensions), so known errors of the used features become
 * text errors.
 */
async function withTextErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (KnownError.isKnownError(error)) refuse(error.statusCode, error.message);
    throw error;
  }
}
