import type { oauthEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { Project } from '../../../core/project.ts';
import type { FlowState } from '../authorize/flow.ts';
import { clientOf, configuredProvider, type ProviderClientDeps } from '../providers/clients.ts';
import type { ProviderTokens } from '../providers/provider-client.ts';
import { cleanProfile, type Profile, ProviderFailure } from '../rules.ts';

export type CallbackCall = Call<typeof oauthEndpoints.callback> | Call<typeof oauthEndpoints.callbackByForm>;

/** What a provider gives at the end of a sign-in. */
export interface ProviderResult {
  /** Undefined with shared keys: the tokens belong to the installation, and a project must never get them. */
  readonly tokens: ProviderTokens | undefined;
  readonly profile: Profile;
  /** The scopes of the tokens. */
  readonly scopes: string[];
}

/**
 * Exchanges the code of the provider for tokens and the profile.
 *
 * @throws OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED for the provider of the path; ProviderFailure
 */
export async function completeAtProvider(
  flow: FlowState & { readonly extraScopes?: readonly string[] },
  { call, project }: { call: CallbackCall; project: Project },
  deps: ProviderClientDeps,
): Promise<ProviderResult> {
  const provider = configuredProvider(call.params.provider_id, project.config);
  // A code of one provider must never be sent to another (control 52).
  if (provider.id !== flow.providerId) throw new ProviderFailure('grant', 'another provider came back');
  const client = await clientOf(project.id, provider, deps);
  const { tokens, profile } = await client.signIn(readProviderResponse(call), flow.secrets);
  const ownTokens = provider.type === 'shared' ? undefined : tokens;
  const scopes = [...new Set([...client.scopes, ...(flow.extraScopes ?? [])])];
  return { tokens: ownTokens, profile: cleanProfile(profile), scopes };
}

/** The parameters of the provider's response, from the query or the form. */
function readProviderResponse({ request, body }: CallbackCall): URLSearchParams {
  const answer = new URLSearchParams(new URL(request.url).search);
  for (const [name, value] of Object.entries(body ?? {})) {
    if (typeof value === 'string' && !answer.has(name)) answer.append(name, value);
  }
  return answer;
}
