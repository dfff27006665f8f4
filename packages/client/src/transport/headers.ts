import type { AccessLevel } from '@tessera/protocol';
import { requestHeaders as names } from '@tessera/protocol/headers';
import type { Config } from '../app/config/config.ts';
import type { Tokens } from '../session/tokens.ts';
import { randomText } from '../util/random-text.ts';
import { clientVersion } from '../util/version.ts';

/**
 * The headers of one attempt. The app's extra ones win over ours, the call's own over both; names are compared without
 * case.
 */
export function headersFor(
  config: Config,
  level: AccessLevel,
  tokens: Tokens | null,
  ownerTokens: Tokens | null,
  own?: HeadersInit,
): Headers {
  const headers = new Headers({
    [names.overrideErrorStatus]: 'true',
    [names.projectId]: config.projectId,
    [names.accessType]: level,
    [names.clientVersion]: clientVersion,
    // Fresh for each attempt: no cache of a framework may answer.
    [names.randomNonce]: randomText(),
    [names.skipBrowserWarning]: 'true',
  });
  const credentials: [name: string, value: string | null | undefined][] = [
    [names.accessToken, tokens?.accessToken],
    [names.refreshToken, tokens?.refreshToken],
    [names.publishableClientKey, config.publishableClientKey],
    [names.secretServerKey, level === 'client' ? undefined : (config.secretServerKey ?? '')],
    [names.superSecretAdminKey, level === 'admin' ? (config.superSecretAdminKey ?? '') : undefined],
    [names.adminAccessToken, ownerTokens?.accessToken],
  ];
  const given = [...credentials, ...Object.entries(config.extraRequestHeaders), ...new Headers(own)];
  for (const [name, value] of given) {
    if (value !== undefined && value !== null) setHeader(headers, name, value);
  }
  return headers;
}

/** The error of the platform quotes the value, which may be a token or a key. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(`The value of the header ${name} has characters that a header cannot carry.`);
  }
}
