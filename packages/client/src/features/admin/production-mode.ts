import { isLocalHost, parseUrl } from '@tessera/protocol/urls';

/** A reason why a project is not fit for production. */
export interface ProductionModeError {
  /** What is wrong. */
  readonly message: string;
  /** The page of the dashboard with the setting. */
  readonly relativeFixUrl: string;
}

interface Settings {
  readonly id: string;
  readonly config: { readonly allowLocalhost: boolean; readonly domains: readonly { readonly domain: string }[] };
}

/**
 * The findings against production mode (docs/contract/errors.md#production-mode-findings, where the sentences come
 * from).
 */
export function productionModeErrors({ id, config }: Settings): ProductionModeError[] {
  const localhost = config.allowLocalhost
    ? [`Localhost is not allowed in production mode, turn off 'Allow localhost' in project settings`]
    : [];
  const messages = [...localhost, ...config.domains.flatMap(({ domain }) => objectionTo(domain) ?? [])];
  return messages.map(message => ({ message, relativeFixUrl: `/projects/${id}/domains` }));
}

/** The first that applies. */
function objectionTo(domain: string): string | undefined {
  const url = parseUrl(domain);
  if (url === undefined) return `Trusted domain is not a valid URL: ${domain}`;
  const { hostname, protocol } = url;
  if (isLocalHost(hostname)) return `Localhost domains are not allowed to be trusted in production mode: ${domain}`;
  if (/^[\d.]+$/.test(hostname)) return `Direct IPs are not valid for trusted domains in production mode: ${domain}`;
  return protocol === 'https:' ? undefined : `Trusted domains should be HTTPS: ${domain}`;
}
