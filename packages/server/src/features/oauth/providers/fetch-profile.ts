import type { IDToken } from 'oauth4webapi';
import { ProviderFailure } from '../rules.ts';
import type { RawProfile } from './profiles.ts';
import { readJson } from './read-json.ts';
import type { ProviderRow } from './rows.ts';

interface ProfileRequest {
  readonly source: ProviderRow['profile'];
  readonly fetch: typeof fetch;
}

function fetchWithToken(url: string, accessToken: string, { source, fetch }: ProfileRequest): Promise<Response> {
  const own = 'documents' in source ? source.headers : undefined;
  const headers = { accept: 'application/json', 'user-agent': 'Tessera', ...own };
  return fetch(url, { headers: { ...headers, authorization: `Bearer ${accessToken}` } });
}

async function fetchDocuments(accessToken: string, request: ProfileRequest): Promise<Record<string, unknown>> {
  const { source } = request;
  if (!('documents' in source)) return {};
  const entries = Object.entries(source.documents).map(async ([name, url]) => {
    const response = await fetchWithToken(url, accessToken, request);
    if (response.ok) return [name, await readJson(response)] as const;
    if (source.optional?.includes(name)) return [name, undefined] as const;
    const reason = name === 'emails' && response.status === 403 ? 'hiddenEmail' : 'answer';
    throw new ProviderFailure(reason, `the provider refused the document ${name}: ${response.status}`);
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Reads the profile of an account from the ID token or from the documents of the provider. */
export async function fetchProfile(
  accessToken: string,
  claims: IDToken | undefined,
  request: ProfileRequest,
): Promise<RawProfile> {
  const { source } = request;
  if ('fromIdToken' in source) return source.fromIdToken(claims);
  const documents = await fetchDocuments(accessToken, request);
  assertSameSubject(documents.user, claims);
  const profile = source.toProfile(documents);
  if (source.needsEmail && !profile.email) throw new ProviderFailure('noEmail', 'the account has no address');
  return profile;
}

/** Whether the provider still accepts an access token. True when the provider has no document to ask for. */
export async function acceptsToken(accessToken: string, request: ProfileRequest): Promise<boolean> {
  const { source } = request;
  if (!('documents' in source)) return true;
  return (await fetchWithToken(source.documents.user, accessToken, request)).ok;
}

/** OpenID Connect Core 5.3.2: the `sub` of the profile and of the ID token must be equal. */
function assertSameSubject(user: unknown, claims: IDToken | undefined): void {
  if (claims === undefined || typeof user !== 'object' || user === null || !('sub' in user)) return;
  if (user.sub !== claims.sub)
    throw new ProviderFailure('answer', 'the ID token and the profile have different subjects');
}
