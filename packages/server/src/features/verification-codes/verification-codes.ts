import { randomUUID } from 'node:crypto';
import { fail, openCodesPerAddress, typedCodeLength } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import { randomSecret } from '../../platform/crypto/random.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { codeAttemptUses, type LimitedCall, type RateLimits } from '../../platform/rate-limits/index.ts';
import { type CodeData, type CodeKind, codeKinds } from './kinds.ts';
import { assertUsable, isUntouched } from './rules.ts';
import { type CodeRow, type CodeTarget, consumeCode, countAttempt, deleteOldestCodes, insertCode } from './store.ts';

export interface CodeRequest<K extends CodeKind> {
  readonly projectId: string;
  readonly kind: K;
  readonly userId: string | null;
  /** The normalized address that gets the code; null for a code that a response returns. */
  readonly address: string | null;
  readonly data: CodeData<K>;
}

/** A new code: only the caller and the recipient know `code`. */
export interface MadeCode {
  readonly id: string;
  readonly code: string;
  readonly expiresAtMillis: number;
}

/** A code that passed all checks. */
export interface CheckedCode<K extends CodeKind> {
  readonly id: string;
  readonly userId: string | null;
  readonly address: string | null;
  readonly data: CodeData<K>;
}

/** A code from a request; upper case is accepted. */
export interface PresentedCode<K extends CodeKind> {
  readonly projectId: string;
  readonly kind: K;
  readonly code: string;
  /** The caller, for the limits against guessing. */
  readonly by: Pick<LimitedCall, 'level' | 'source'>;
}

interface CodeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
}

/** Creates a one-time code. Only hashes are stored, so the database cannot redeem anything (control 15). */
export async function createCode<K extends CodeKind>(
  tx: Transaction,
  { projectId, kind, userId, address, data }: CodeRequest<K>,
  deps: { clock: Clock },
): Promise<MadeCode> {
  const code = randomSecret();
  const id = randomUUID();
  const createdAtMillis = deps.clock.now();
  const expiresAtMillis = createdAtMillis + codeKinds[kind].lifetimeMs;
  await insertCode(tx, projectId, {
    id,
    kind,
    codeHash: sha256(code),
    nonceHash: sha256(code.slice(typedCodeLength)),
    userId,
    address,
    data: JSON.stringify(data),
    createdAtMillis,
    expiresAtMillis,
  });
  if (address !== null) {
    const target = targetOf(data);
    await deleteOldestCodes(tx, { projectId, kind, address, target, newestId: id, keep: openCodesPerAddress });
  }
  return { id, code, expiresAtMillis };
}

/** One team or project must not push out the invitations of another one, so each is counted separately. */
function targetOf(data: CodeData<CodeKind>): CodeTarget {
  if ('teamId' in data) return { teamId: data.teamId };
  if ('projectId' in data) return { projectId: data.projectId };
  return {};
}

/**
 * Checks a code without using it. A check counts as an attempt, even when the caller refuses afterwards. A wrong code
 * counts for the account and the address, too, whatever kind the request names (control 22).
 *
 * @throws the codes of the family VERIFICATION_ERROR
 */
export async function checkCode<K extends CodeKind>(
  presented: PresentedCode<K>,
  deps: CodeDeps,
): Promise<CheckedCode<K>> {
  const { projectId, kind, by } = presented;
  deps.rateLimits.assertNotRemembered(codeAttemptUses(projectId, by));
  const code = presented.code.toLowerCase();
  const hashes = { codeHash: sha256(code), nonceHash: sha256(code.slice(typedCodeLength)) };
  const { found, account } = await countAttempt(deps.db, { projectId, kind, ...hashes });
  if (found === undefined) await deps.rateLimits.spend(codeAttemptUses(projectId, by, account));
  else await deps.rateLimits.assertLeft(codeAttemptUses(projectId, by, isUntouched(found) ? undefined : account));
  assertUsable<CodeRow>(found, { maxAttempts: codeKinds[kind].maxAttempts, nowMillis: deps.clock.now() });
  const data = codeKinds[kind].data.parse(found.data) as CodeData<K>;
  return { id: found.id, userId: found.userId, address: found.address, data };
}

/**
 * Uses a code before the operation that it allows: when the operation fails, the code is spent
 * (docs/contract/sign-in-methods.md#code-checks). Of concurrent callers one succeeds, and the others get
 * VERIFICATION_CODE_ALREADY_USED. Control 20.
 *
 * @param before runs before the code is spent and may refuse
 * @throws the codes of the family VERIFICATION_ERROR
 */
export async function redeemCode<K extends CodeKind>(
  presented: PresentedCode<K>,
  deps: CodeDeps,
  before?: (code: CheckedCode<K>) => Promise<void> | void,
): Promise<CheckedCode<K>> {
  const checked = await checkCode(presented, deps);
  await before?.(checked);
  await spendCode(deps.db, presented.projectId, checked, deps);
  return checked;
}

/**
 * Uses a code that `checkCode` has accepted, for a caller whose transaction also spends something else.
 *
 * @throws VERIFICATION_CODE_ALREADY_USED
 */
export async function spendCode(
  db: Queryable,
  projectId: string,
  { id }: Pick<CheckedCode<CodeKind>, 'id'>,
  { clock }: Pick<CodeDeps, 'clock'>,
): Promise<void> {
  if (!(await consumeCode(db, projectId, id, clock.now()))) fail('VERIFICATION_CODE_ALREADY_USED');
}
