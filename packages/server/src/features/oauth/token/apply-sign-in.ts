import { fail } from '@tessera/protocol';
import type { Project } from '../../../core/project.ts';
import type { RequestSource } from '../../../core/request-source.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { selectUser, sendAccountNotice } from '../../accounts/users/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Mail } from '../../email/queue/index.ts';
import type { CompleteLink, OpenAccount } from '../../sign-in/index.ts';
import { storeProviderTokens } from '../connected-accounts/provider-tokens.ts';
import { type AccountPlan, providerName } from '../rules.ts';
import { type Account, applyPlan, planSignIn } from './accounts.ts';
import { decryptProviderSignIn, type ProviderSignIn } from './provider-sign-in.ts';

export interface SignInApplication {
  readonly openAccount: OpenAccount;
  readonly deps: { readonly clock: Clock; readonly secrets: Secrets; readonly mail: Mail };
}

interface AppliedSignIn {
  readonly project: Project;
  readonly providerId: string;
  readonly signIn: ProviderSignIn;
  readonly source: RequestSource;
}

/**
 * Links the provider account of a merge, whose user has now verified the second factor. The accounts may have changed
 * since the first factor, so the sign-in is planned again.
 */
export function createLinkCompletion(context: SignInApplication): CompleteLink {
  return async (tx, { project, userId, source, pendingLink }) => {
    const { providerId } = pendingLink;
    const encrypted = Buffer.from(pendingLink.providerSignIn, 'base64');
    const signIn = decryptProviderSignIn(encrypted, context.deps.secrets);
    const { purpose, profile } = signIn;
    const plan = await planSignIn(tx, { project, providerId, purpose, profile }, () => undefined);
    if (plan.kind === 'create' || plan.userId !== userId) fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
    await applySignIn(tx, plan, { project, providerId, signIn, source }, context);
  };
}

/** Writes the plan of a sign-in, stores the tokens of a provider with own keys, and records a new link. */
export async function applySignIn(
  tx: Transaction,
  plan: AccountPlan,
  { project, providerId, signIn, source }: AppliedSignIn,
  { openAccount, deps }: SignInApplication,
): Promise<Account> {
  const { purpose, profile, tokens, scopes } = signIn;
  const { accountId } = profile;
  const providerReturn = { project, providerId, purpose, profile };
  const account = await applyPlan(tx, plan, { providerReturn, openAccount, nowMillis: deps.clock.now() });
  if (tokens !== undefined) await storeProviderTokens(tx, project.id, { providerId, accountId, tokens, scopes }, deps);
  if (account.isAttached) await recordLink(tx, { project, providerId, userId: account.userId, source }, deps);
  return account;
}

/** Sends a notice about the new sign-in method to the user (control 68), and writes the audit event. */
async function recordLink(
  tx: Transaction,
  { project, providerId, userId, source }: Omit<AppliedSignIn, 'signIn'> & { readonly userId: string },
  deps: SignInApplication['deps'],
): Promise<void> {
  const projectId = project.id;
  const user = await selectUser(tx, projectId, userId);
  const notice = {
    notice: 'provider_linked',
    to: [user?.primaryEmail ?? null],
    about: { providerName: providerName(providerId) },
  } as const;
  await sendAccountNotice(tx, { projectId, userId, ...notice, by: { level: 'client', source } }, deps);
  await recordAudit(tx, {
    projectId,
    action: 'factor.provider_linked',
    actor: { type: 'user', id: userId },
    userId,
    source,
    details: { provider: providerId },
    atMillis: deps.clock.now(),
  });
}
