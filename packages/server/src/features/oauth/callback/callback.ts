import { randomBytes } from 'node:crypto';
import { authorizationCodeBytes, authorizationCodeLifetimeMs, fail, isTrustedUrl, KnownError } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { Settings } from '../../../env.ts';
import { ResponseOverride } from '../../../http/bind.ts';
import { ErrorWithHeaders, refuse } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Secrets, sha256 } from '../../../platform/crypto/secrets.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/observability/log.ts';
import { type RateLimits, signUpUses } from '../../../platform/rate-limits/index.ts';
import { selectUser } from '../../accounts/users/index.ts';
import { type AuditWriter, originOf } from '../../audit/index.ts';
import type { Projects } from '../../projects/index.ts';
import { type Learn, recordFailedSignIn } from '../../sign-in/index.ts';
import { auditedFlow, flowAttempt } from '../audited-flow.ts';
import { expiredFlowCookie, hasFlowCookie } from '../authorize/cookies.ts';
import { type Flow, linkingUserOf, projectOfFlow, type TakenFlow, takeStoredFlow } from '../authorize/flow.ts';
import { completeProviderTest } from '../provider-tests/complete.ts';
import type { ProviderClientDeps } from '../providers/clients.ts';
import {
  type AccountPlan,
  acceptsNewAccount,
  accountMethods,
  accountMethodsParameter,
  assertMayReturn,
  type Profile,
  ProviderFailure,
  refuseFailure,
  traceIdParameter,
  withParameters,
} from '../rules.ts';
import { endLink, insertAuthorizationCode, selectOwner } from '../store.ts';
import { planSignIn } from '../token/accounts.ts';
import { encryptProviderSignIn } from '../token/provider-sign-in.ts';
import { type CallbackCall, completeAtProvider, type ProviderResult } from './provider-result.ts';

export type CallbackDeps = ProviderClientDeps & {
  readonly settings: Pick<Settings, 'mode'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly projects: Projects;
  readonly audit: AuditWriter;
  readonly rateLimits: RateLimits;
};

const flowIsOver = 'This sign-in is over. Please begin again.';

/** Completes the sign-in at the provider, and redirects to the app (docs/contract/oauth.md#callback). */
export async function callback(call: CallbackCall, deps: CallbackDeps): Promise<ResponseOverride> {
  const { query, body } = call;
  const state = query.state ?? body?.state;
  const style = { isSecure: deps.settings.mode !== 'development', isForPost: false };
  const ended = expiredFlowCookie(state, style);
  const headers: Record<string, string> = ended === undefined ? {} : { 'set-cookie': ended };
  try {
    const location = await resolveReturnUrl(call, state, deps);
    return new ResponseOverride({}, { status: 303, headers: { location, ...headers } });
  } catch (error) {
    // The flow ends with every error.
    throw new ErrorWithHeaders(error, headers);
  }
}

/** The redirect target: the app with a code, or the error page of the app. */
async function resolveReturnUrl(call: CallbackCall, state: string | undefined, deps: CallbackDeps): Promise<string> {
  if (state === undefined || !hasFlowCookie(call.request.headers.get('cookie'), state)) {
    if (state !== undefined) await recordForeignBrowser(state, call, deps);
    refuse(400, 'This sign-in was not begun in this browser, or it is over. Please begin again.');
  }
  const flow = await takeStoredFlow(state, deps);
  const loaded = flow === undefined ? undefined : await deps.projects.find(flow.projectId);
  if (flow === undefined || loaded === undefined) refuse(400, flowIsOver);
  const { project } = loaded;
  if ('testerId' in flow) return completeProviderTest(flow, { call, project }, deps);
  let conflict: Conflict | undefined;
  const onConflict = (found: Conflict) => {
    conflict = found;
  };
  try {
    const linkingUserId = linkingUserOf(flow.purpose);
    const user = linkingUserId === null ? null : { id: linkingUserId };
    const attempt = flowAttempt(project, call.source, user);
    const finish = (learn: Learn) => completeCallback(flow, { call, project }, { learn, onConflict, deps });
    return await auditedFlow(attempt, flow.providerId, finish, deps);
  } catch (error) {
    const { errorRedirectUrl: address } = flow;
    if (!KnownError.isKnownError(error) || address === null || !isTrustedUrl(address, project.config)) throw error;
    const details = JSON.stringify(error.details ?? {});
    const methods = await methodsParameter(address, { error, conflict, project }, deps);
    const trace: Record<string, string> = new URL(address).searchParams.has(traceIdParameter)
      ? { [traceIdParameter]: call.source.traceId }
      : {};
    const { errorCode, message } = error;
    return withParameters(address, { errorCode, message, details, ...methods, ...trace });
  }
}

/**
 * Records that another browser, for example that of an email app, came back from the provider. The flow stays: the browser
 * that began it may still complete it.
 */
async function recordForeignBrowser(state: string, { source }: CallbackCall, deps: CallbackDeps): Promise<void> {
  const begun = await projectOfFlow(state, deps);
  if (begun === undefined) return;
  const attempt = flowAttempt({ id: begun.projectId }, source);
  recordFailedSignIn(attempt, { method: begun.providerId, reason: 'OAUTH_OTHER_BROWSER' }, deps);
}

/** A user who has the address of a provider account that is not theirs yet. */
interface Conflict {
  readonly userId: string;
  /** Whether the provider has verified the address. */
  readonly isAddressProved: boolean;
}

/**
 * Fills in the methods of the existing account where the error URL asks for them, so that a page can say how to sign in.
 * Only the owner of the address learns them: the provider must have verified it.
 */
async function methodsParameter(
  address: string,
  { error, conflict, project }: { error: KnownError; conflict: Conflict | undefined; project: Project },
  { db }: Pick<CallbackDeps, 'db'>,
): Promise<Record<string, string>> {
  const isAsked = new URL(address).searchParams.has(accountMethodsParameter);
  if (!isAsked || error.errorCode !== 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE') return {};
  const owner = conflict?.isAddressProved === true ? await selectUser(db, project.id, conflict.userId) : null;
  return { [accountMethodsParameter]: owner === null ? '' : accountMethods(owner, project.config).join(',') };
}

/** Validates the response of the provider, and plans. Users and links are written by the code exchange. */
async function completeCallback(
  flow: TakenFlow,
  { call, project }: { call: CallbackCall; project: Project },
  {
    learn,
    onConflict,
    deps,
  }: { readonly learn: Learn; onConflict(found: Conflict): void; readonly deps: CallbackDeps },
): Promise<string> {
  learn({ userId: linkingUserOf(flow.purpose) ?? undefined });
  if (flow.isExpired) fail('OUTER_OAUTH_TIMEOUT');
  const onProviderFailure = ({ reason }: ProviderFailure) => learn({ cause: `provider_${reason}` });
  const { tokens, profile, scopes } = await signInAtProvider(flow, { call, project, onProviderFailure }, deps);
  if (!isTrustedUrl(flow.redirectUri, project.config)) {
    learn({ cause: 'redirect', redirectOrigin: originOf(flow.redirectUri) });
  }
  assertMayReturn(flow, project.config);
  await countSignUp(flow, profile, { call, project }, deps);

  const code = randomBytes(authorizationCodeBytes).toString('hex');
  const { providerId, purpose } = flow;
  await transaction(deps.db, async tx => {
    const plan = await planSignIn(tx, { project, providerId, purpose, profile }, userId => {
      learn({ userId });
      onConflict({ userId, isAddressProved: profile.isEmailVerified });
    });
    // The user may have removed the provider while the callback waited for it.
    const isOpen = purpose.type !== 'link' || (await endLink(tx, project.id, flow.takenHash));
    if (!isOpen) refuse(400, flowIsOver);
    const providerSignIn = encryptProviderSignIn({ purpose, profile, tokens, scopes }, deps.secrets);
    await insertCode(tx, { flow, plan, providerSignIn, code }, deps);
  });
  return withParameters(flow.redirectUri, { code, state: flow.state });
}

/** @throws OAUTH_PROVIDER_ACCESS_DENIED, or a text 400 for every other failure of the provider */
async function signInAtProvider(
  flow: Flow,
  {
    onProviderFailure,
    ...answered
  }: { call: CallbackCall; project: Project; onProviderFailure(failure: ProviderFailure): void },
  deps: CallbackDeps,
): Promise<ProviderResult> {
  try {
    return await completeAtProvider(flow, answered, deps);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    onProviderFailure(error);
    const { reason, message } = error;
    if (reason !== 'denied') deps.log.warn({ provider: flow.providerId, reason, message }, 'a provider sign-in failed');
    refuseFailure(error);
  }
}

/** A sign-up counts for the caller's address block. A sign-in to a known account does not, nor does a refused sign-up. */
async function countSignUp(
  { providerId, purpose }: Flow,
  profile: Profile,
  { call, project }: { call: CallbackCall; project: Project },
  deps: CallbackDeps,
): Promise<void> {
  if (purpose.type === 'link' || !acceptsNewAccount(profile, project.config)) return;
  if ((await selectOwner(deps.db, project.id, { providerId, accountId: profile.accountId })) !== undefined) return;
  await deps.rateLimits.spend(signUpUses({ project, level: null, source: call.source }));
}

async function insertCode(
  tx: Transaction,
  { flow, plan, providerSignIn, code }: { flow: Flow; plan: AccountPlan; providerSignIn: Buffer; code: string },
  { clock }: CallbackDeps,
): Promise<void> {
  const { providerId, redirectUri, codeChallenge, afterCallbackRedirectUrl } = flow;
  const nowMillis = clock.now();
  await insertAuthorizationCode(tx, flow.projectId, {
    hash: sha256(code),
    userId: plan.kind === 'create' ? undefined : plan.userId,
    isNewUser: plan.kind === 'create',
    providerId,
    redirectUri,
    codeChallenge,
    afterCallbackRedirectUrl,
    providerSignIn,
    nowMillis,
    expiresAtMillis: nowMillis + authorizationCodeLifetimeMs,
  });
}
