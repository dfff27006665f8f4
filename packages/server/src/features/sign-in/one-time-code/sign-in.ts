import { decideSignUp, fail, isKnown, type otpEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { ProjectConfig } from '../../../core/project-config.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, transaction } from '../../../platform/database/database.ts';
import { type RateLimits, signUpUses } from '../../../platform/rate-limits/index.ts';
import { assertNotImpersonated } from '../../accounts/users/index.ts';
import type { AuditWriter } from '../../audit/index.ts';
import { redeemCode } from '../../verification-codes/index.ts';
import type { OpenAccount } from '../accounts.ts';
import type { Learn } from '../attempts.ts';
import { type FinishSignInDeps, finishSignIn } from '../finish.ts';
import { assertMakerHasAccess } from '../made-links.ts';
import { assertMayUseAddress, isOwnAddress } from '../rules.ts';
import { type Account, selectAccount } from '../store.ts';

export type CodeSignInDeps = FinishSignInDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
};

interface CodeSignIn {
  readonly openAccount: OpenAccount;
  readonly deps: CodeSignInDeps;
}

/** Signs in with a code from an email, and creates the account of a new address. */
export async function signInWithCode(
  call: Call<typeof otpEndpoints.signIn>,
  learn: Learn,
  { openAccount, deps }: CodeSignIn,
) {
  const { body, project, request, source } = call;
  const presented = { projectId: project.id, kind: 'sign_in', code: body.code, by: call } as const;
  // Before the code is spent: a 429 asks the client to repeat the request.
  const { address } = await redeemCode(presented, deps, async code => {
    await assertMakerHasAccess(code, project.id, deps.db);
    if (await createsAccount(code.address, call, deps)) await deps.rateLimits.spend(signUpUses(call));
  });
  if (address === null) fail('VERIFICATION_CODE_NOT_FOUND');
  const { userId, isNewUser } = await findOrCreateAccount(address, { call, learn }, { openAccount, deps });
  const passed = { projectId: project.id, userId, isNewUser, request, source, method: 'otp', codeAddress: address };
  const signedIn = await finishSignIn(passed, deps);
  return { ...(signedIn ?? fail('VERIFICATION_CODE_NOT_FOUND')), is_new_user: isNewUser };
}

/** The account that a code for an address signs in to. An anonymous caller signs up with an own unverified address. */
export async function selectCodeAccount(
  db: Database,
  { project, user }: Pick<Call<typeof otpEndpoints.sendSignInCode | typeof otpEndpoints.signIn>, 'project' | 'user'>,
  address: string,
): Promise<Account | undefined> {
  const account = await selectAccount(db, project.id, address);
  if (account === undefined) return undefined;
  return !account.isVerified && isOwnAddress(account, user) ? undefined : account;
}

/** Whether a code creates an account. A refused sign-up does not count in the limit of sign-ups. */
async function createsAccount(
  address: string | null,
  call: Call<typeof otpEndpoints.signIn>,
  { db }: CodeSignInDeps,
): Promise<boolean> {
  const { config } = call.project;
  const isAccepted = config.signUpEnabled && decideSignUp(address, config.signUpRestrictions).isAllowed;
  if (address === null || !config.magicLinkEnabled || !isAccepted) return false;
  return (await selectCodeAccount(db, call, address)) === undefined;
}

/** Finds or creates the account of an address. Of two concurrent codes one creates it, the other signs in. */
async function findOrCreateAccount(
  address: string,
  { call, learn }: { call: Call<typeof otpEndpoints.signIn>; learn: Learn },
  { openAccount, deps }: CodeSignIn,
) {
  const { project, user: caller } = call;
  const account = await selectCodeAccount(deps.db, call, address);
  learn({ userId: account?.userId });
  assertMayUseAddress(address, account, project.config);
  if (account !== undefined) return { userId: account.userId, isNewUser: false };
  // Codes that were sent before the method was switched off sign in, but create no accounts
  // (docs/contract/sign-in-methods.md#project-switches).
  assertOtpEnabled(project.config);
  if (caller?.isAnonymous === true) await assertNotImpersonated(call, deps.db);
  const primaryEmail = { value: address, isVerified: true, usedForAuth: true };
  const method = { passwordHash: null, otpAuthEnabled: true };
  const creation = { displayName: null, primaryEmail, ...method, nowMillis: deps.clock.now() };
  try {
    const user = await transaction(deps.db, tx => openAccount(tx, { project, caller, creation, call }));
    return { userId: user.id, isNewUser: true };
  } catch (error) {
    const winner = isKnown(error, 'USER_EMAIL_ALREADY_EXISTS')
      ? await selectAccount(deps.db, project.id, address)
      : undefined;
    if (winner?.isVerified !== true || winner.refusesCodes) throw error;
    return { userId: winner.userId, isNewUser: false };
  }
}

/** @throws a text 403 */
export function assertOtpEnabled({ magicLinkEnabled }: ProjectConfig): void {
  if (magicLinkEnabled) return;
  refuse(403, 'Sign-in by email code is switched off for this project.', { auditCause: 'otp_disabled' });
}
