import { type AccessLevel, levelsFrom } from '../access/access.ts';
import type { Endpoint } from '../endpoint.ts';
import { requestHeaders } from '../headers.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** The headers that identify a caller. A client sets them once for all operations. */
export const securitySchemes = {
  AccessType: inHeader(requestHeaders.accessType, '`client`, `server` or `admin`: the level of the key that is sent.'),
  ProjectId: inHeader(requestHeaders.projectId, 'The id of the project.'),
  PublishableClientKey: inHeader(requestHeaders.publishableClientKey, 'With the access type `client`: `pck_…`.'),
  SecretServerKey: inHeader(requestHeaders.secretServerKey, 'With the access type `server`: `ssk_…`.'),
  SuperSecretAdminKey: inHeader(requestHeaders.superSecretAdminKey, 'With the access type `admin`: `sak_…`.'),
  AdminAccessToken: inHeader(
    requestHeaders.adminAccessToken,
    'With the access type `admin`, instead of a key: the access token of an owner of the project.',
  ),
  AccessToken: inHeader(requestHeaders.accessToken, 'The access token of the signed-in user.'),
};

const keysOf: Readonly<Record<AccessLevel, readonly (keyof typeof securitySchemes)[]>> = {
  client: ['PublishableClientKey'],
  server: ['SecretServerKey'],
  admin: ['SuperSecretAdminKey', 'AdminAccessToken'],
};

/** The alternatives of an endpoint: one per key that may call it, with or without a user. */
export function securityOf({ access, user }: Endpoint): Requirement[] {
  if (access === 'none') return [];
  const keys = levelsFrom(access).flatMap(level => keysOf[level]);
  const withKey = keys.map(key => ({ AccessType: [], ProjectId: [], [key]: [] }));
  const withUser = withKey.map(requirement => ({ ...requirement, AccessToken: [] }));
  if (user === 'required') return withUser;
  return access === 'client' ? [...withUser, ...withKey] : withKey;
}
