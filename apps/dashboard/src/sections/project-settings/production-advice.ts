import type { AdminProjectConfig, ProviderId } from '@tessera/client';
import { lacksKeys, providerName } from '../../data/oauth-providers.ts';
import { words } from './words.ts';

/** A recommendation, with the provider or the page where it is followed. */
export interface Advice {
  readonly text: string;
  /** Undefined: the domains. */
  readonly provider: ProviderId | undefined;
}

/**
 * What a project should have before it goes live. None of it keeps production mode off.
 *
 * @param sharedProviders the providers for which this installation has keys
 */
export function productionAdvice(
  { domains, oauthProviders }: Pick<AdminProjectConfig, 'domains' | 'oauthProviders'>,
  sharedProviders: readonly ProviderId[],
): readonly Advice[] {
  const shared = oauthProviders.filter(({ type }) => type === 'shared');
  return [
    ...(domains.length === 0 ? [{ text: words.noDomain, provider: undefined }] : []),
    ...shared.map(provider => ({
      text: (lacksKeys(provider, sharedProviders) ? words.noKeys : words.sharedKeys)(providerName(provider.id)),
      provider: provider.id,
    })),
  ];
}
