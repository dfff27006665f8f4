import type { AdminProjectConfig, ProviderId } from '@tessera/client';
import { providerName } from '../../data/oauth-providers.ts';
import { words } from './words.ts';

/** A recommendation, with the provider or the page where it is followed. */
export interface Advice {
  readonly text: string;
  /** Undefined: the domains. */
  readonly provider: ProviderId | undefined;
}

/** What a project should have before it goes live. None of it keeps production mode off. */
export function productionAdvice({
  domains,
  oauthProviders,
}: Pick<AdminProjectConfig, 'domains' | 'oauthProviders'>): readonly Advice[] {
  const shared = oauthProviders.filter(({ type }) => type === 'shared');
  return [
    ...(domains.length === 0 ? [{ text: words.noDomain, provider: undefined }] : []),
    ...shared.map(({ id }) => ({ text: words.sharedKeys(providerName(id)), provider: id })),
  ];
}
