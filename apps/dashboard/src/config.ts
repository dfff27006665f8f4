import type { ProviderId } from '@tessera/client';

/** What the server writes into the page. */
export interface Config {
  /** Path of the dashboard with slashes at both ends, e.g. `/dashboard/`. */
  readonly base: string;
  /** Publishable client key of the project `internal`; null when the server does not know it. */
  readonly publishableClientKey: string | null;
  readonly mode: 'development' | 'production';
  /** The installation has no owner yet. */
  readonly isUnclaimed: boolean;
  /** The providers for which this installation has keys that projects share. */
  readonly sharedProviders: readonly ProviderId[];
}

/** Reads the configuration from the page. @throws when the page does not come from the server */
export function readConfig(): Config {
  const text = document.querySelector<HTMLMetaElement>('meta[name=tessera-config]')?.content ?? '';
  return JSON.parse(text) as Config;
}

/** The base URL of the API: the server of the page, with the path in front of `/dashboard/`. */
export function apiBaseUrl({ base }: Pick<Config, 'base'>, origin: string): string {
  return origin + base.replace(/\/dashboard\/$/, '');
}
