import { randomBytes } from 'node:crypto';
import {
  authorizationCodeBytes,
  authorizationCodeLifetimeMs,
  fail,
  KnownError,
  type oauthEndpoints,
  oauthProviderNames,
} from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type Call, Special } from '../../http/bind.ts';
import { Accompanied, refuse } from '../../http/refusal.ts';
import type { Transaction } from '../../platform/db.ts';
import { signUpUses } from '../../platform/rate-limits/index.ts';
import { sha256 } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import { isTrustedUrl, type Project } from '../projects/index.ts';
import { auditedSignIn, type Learn, type OpenAccount } from '../sign-in/index.ts';
import { selectUser, sendNotice } from '../users/index.ts';
import { type Account, enterAccount } from './accounts.ts';
import { clientOf, configuredProvider } from './clients.ts';
import { endedFlowCookie, hasFlowCookie } from './cookies.ts';
import { type Flow, takeStoredFlow } from './flow.ts';
import type { ProviderTokens } from './provider-client.ts';
import { storeProviderTokens } from './provider-tokens.ts';
import { assertMayReturn, type Profile, ProviderFailure, refuseFailure, tidied, withParameters } from './rules.ts';
import { insertAuthorizationCode, selectOwner } from './store.ts';

export type CallbackCall = Call<typeof oauthEndpoints.callback> | Call<typeof oauthEndpoints.callbackByForm>;

interface CallbackDeps {
  readonly openAccount: OpenAccount;
  readonly deps: Deps;
}

/** Takes somebody back from the provider, and sends them on to the app (docs/contract/oauth.md#callback). */
export async function callback(call: CallbackCall, context: CallbackDeps): Promise<Special> {
  const { query, body } = call;
  const state = query.state ?? body?.state;
  const style = { isSecure: context.deps.settings.mode !== 'development', isForPost: false };
  const ended = endedFlowCookie(state, style);
  const headers: Record<string, string> = ended === undefined ? {} : { 'set-cookie': ended };
  try {
    const location = await wayBack(call, state, context);
    return new Special({}, { status: 303, headers: { location, ...headers } });
  } catch (error) {
    // Whatever it was, the flow is over.
    throw new Accompanied(error, headers);
  }
}

/** Where the browser goes: to the app with a code, or to its error page. */
async function wayBack(call: CallbackCall, state: string | undefined, context: CallbackDeps): Promise<string> {
  const { deps } = context;
  if (state === undefined || !hasFlowCookie(call.request.headers.get('cookie'), state)) {
    refuse(400, 'This sign-in was not begun in this browser, or it is over. Please begin again.');
  }
  const flow = await takeStoredFlow(state, deps);
  const loaded = flow === undefined ? undefined : await deps.projects.find(flow.projectId);
  if (flow === undefined || loaded === undefined) refuse(400, 'This sign-in is over. Please begin again.');
  const { project } = loaded;
  try {
    const attempt = { project, level: 'client', user: userOf(flow), ownerId: undefined, source: call.source } as const;
    const finish = (learn: Learn) => finished(flow, { call, project }, { ...context, learn });
    return await auditedSignIn(attempt, flow.providerId, finish, deps);
  } catch (error) {
    const { errorRedirectUrl: address } = flow;
    if (!KnownError.isKnownError(error) || address === null || !isTrustedUrl(address, project.config)) throw error;
    const details = JSON.stringify(error.details ?? {});
    return withParameters(address, { errorCode: error.errorCode, message: error.message, details });
  }
}

/** Who asked, where that was somebody who is signed in. */
function userOf({ purpose }: Flow): { readonly id: string } | null {
  return purpose.type === 'link' ? { id: purpose.userId } : null;
}

async function finished(
  flow: Flow,
  { call, project }: { call: CallbackCall; project: Project },
  context: CallbackDeps & { readonly learn: Learn },
): Promise<string> {
  const { deps, learn } = context;
  learn({ userId: userOf(flow)?.id });
  if (flow.isExpired) fail('OUTER_OAUTH_TIMEOUT');
  const { tokens, profile, scopes } = await signedInAtProvider(flow, { call, project }, deps);
  assertMayReturn(flow, project.config);
  await countSignUp(flow, profile, { call, project }, deps);

  const code = randomBytes(authorizationCodeBytes).toString('hex');
  const { providerId, purpose } = flow;
  await enterAccount({ project, providerId, purpose, profile }, context, async (tx, account) => {
    const { accountId } = profile;
    await storeProviderTokens(tx, project.id, { providerId, accountId, tokens, scopes }, deps);
    await insertCode(tx, { flow, account, code }, deps);
    if (!account.isAttached) return;
    await tellOfLink(tx, { project, providerId, account }, deps);
    const { userId } = account;
    await recordAudit(tx, {
      projectId: project.id,
      action: 'factor.provider_linked',
      actor: { type: 'user', id: userId },
      userId,
      source: call.source,
      details: { provider: providerId },
      atMillis: deps.clock.now(),
    });
  });
  return withParameters(flow.redirectUri, { code, state: flow.state });
}

interface AtProvider {
  readonly tokens: ProviderTokens;
  readonly profile: Profile;
  /** What the tokens are for. */
  readonly scopes: readonly string[];
}

/** @throws OAUTH_PROVIDER_ACCESS_DENIED, or a text 400 for everything else that goes wrong between us and the provider */
async function signedInAtProvider(
  flow: Flow,
  { call, project }: { call: CallbackCall; project: Project },
  deps: Deps,
): Promise<AtProvider> {
  const provider = configuredProvider(flow.providerId, project.config);
  try {
    // A code that one provider gave must never be handed to another (control 52).
    if (call.params.provider_id !== flow.providerId) throw new ProviderFailure('grant', 'another provider came back');
    const client = await clientOf(provider, deps);
    const { tokens, profile } = await client.signIn(answerOf(call), flow.secrets);
    return { tokens, profile: tidied(profile), scopes: [...new Set([...client.scopes, ...flow.extraScopes])] };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { reason, message } = error;
    if (reason !== 'denied') deps.log.warn({ provider: flow.providerId, reason, message }, 'a provider sign-in failed');
    refuseFailure(error);
  }
}

/** What the provider sent, by the address or by a form. */
function answerOf({ request, body }: CallbackCall): URLSearchParams {
  const answer = new URLSearchParams(new URL(request.url).search);
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value === 'string' && !answer.has(name)) answer.append(name, value);
  }
  return answer;
}

/** Sign-ups are counted by address, whatever they are made with; known accounts are none. */
async function countSignUp(
  { providerId, purpose }: Flow,
  { accountId }: Profile,
  { call, project }: { call: CallbackCall; project: Project },
  deps: Deps,
): Promise<void> {
  if (purpose.type === 'link' || !project.config.signUpEnabled) return;
  if ((await selectOwner(deps.db, project.id, { providerId, accountId })) !== undefined) return;
  await deps.rateLimits.spend(signUpUses({ project, level: null, source: call.source }));
}

async function insertCode(
  tx: Transaction,
  { flow, account, code }: { flow: Flow; account: Account; code: string },
  { clock }: Deps,
): Promise<void> {
  const { providerId, redirectUri, codeChallenge, afterCallbackRedirectUrl } = flow;
  const { userId, isNewUser } = account;
  const nowMillis = clock.now();
  const expiresAtMillis = nowMillis + authorizationCodeLifetimeMs;
  const bound = { userId, isNewUser, providerId, redirectUri, codeChallenge, afterCallbackRedirectUrl };
  await insertAuthorizationCode(tx, flow.projectId, { ...bound, hash: sha256(code), nowMillis, expiresAtMillis });
}

/** Somebody has another way in from now on: their address hears of it (control 68). */
async function tellOfLink(
  tx: Transaction,
  { project, providerId, account }: { project: Project; providerId: string; account: Account },
  deps: Deps,
): Promise<void> {
  const user = await selectUser(tx, project.id, account.userId);
  const providerName = Object.entries(oauthProviderNames).find(([id]) => id === providerId)?.[1] ?? providerId;
  const notice = { notice: 'provider_linked', to: [user?.primaryEmail ?? null], about: { providerName } } as const;
  await sendNotice(tx, { projectId: project.id, ...notice }, deps);
}
