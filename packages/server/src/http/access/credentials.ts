import {
  type AccessLevel,
  type Endpoint,
  fail,
  type InvitedRole,
  isAccessLevel,
  requestHeaders,
} from '@tessera/protocol';
import type { Caller, FoundUser, TokenSubject } from '../../core/caller.ts';
import type { HttpHeaders } from '../../core/http-request.ts';
import type { KeyKind, LoadedProject } from '../../core/project.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccessTokenClaims, AccessTokens } from '../../platform/crypto/access-tokens.ts';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { refuse } from '../refusal.ts';
import { managedProjectIds, roleInSession } from './managed-projects.ts';

/** The projects and keys that requests name. */
interface KnownProjects {
  find(projectId: string): Promise<LoadedProject | undefined>;
  /** The project after a look into the database, at most once a second. */
  findAgain(projectId: string): Promise<LoadedProject | undefined>;
  /** The set of a usable key; undefined when the project does not have the key. */
  keySetOf(loaded: LoadedProject, kind: KeyKind, hash: Buffer): string | undefined;
}

export interface CredentialsDeps {
  readonly projects: KnownProjects;
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
  /** Reads the user of an access token and whether its session exists, in one query; undefined when the user is deleted. */
  readonly findUser: (asked: TokenSubject) => Promise<FoundUser | undefined>;
  /** The role of a user of `internal` in a project that another user owns. */
  readonly findMemberRole: (asked: { projectId: string; userId: string }) => Promise<InvitedRole | undefined>;
}

const anonymousCaller: Caller = {
  level: null,
  project: null,
  user: null,
  sessionId: undefined,
  impersonation: undefined,
  ownerId: undefined,
  ownerSessionId: undefined,
  ownerRole: undefined,
  keySetId: undefined,
};

/** The caller, and what the access token of the request names. */
export interface Identity {
  readonly caller: Caller;
  /** The user and the session of the access token, also when the user is deleted or the session has ended. */
  readonly token: TokenSubject | undefined;
  /** Whether the session has ended and the endpoint takes a user: then the request is refused. */
  readonly hasEndedSession: boolean;
}

const mainBranch = 'main';

const keyHeaders: Record<AccessLevel, { header: string; kind: KeyKind }> = {
  client: { header: requestHeaders.publishableClientKey, kind: 'publishableClientKey' },
  server: { header: requestHeaders.secretServerKey, kind: 'secretServerKey' },
  admin: { header: requestHeaders.superSecretAdminKey, kind: 'superSecretAdminKey' },
};

/** Headers that are refused without an access type. An empty header counts as missing. */
const projectCredentials = [...Object.values(keyHeaders).map(({ header }) => header), requestHeaders.adminAccessToken];

/** Checks all credentials of a request, in the order of docs/contract/envelope.md#order-of-processing (control 92). */
export async function identify(
  headers: HttpHeaders,
  endpoint: Pick<Endpoint, 'access' | 'endedSession'> | undefined,
  deps: CredentialsDeps,
): Promise<Identity> {
  const accessType = headers.get(requestHeaders.accessType);
  if (accessType === null) return identifyWithoutAccessType(headers);
  if (!isAccessLevel(accessType)) fail('INVALID_ACCESS_TYPE');
  const projectId = headers.get(requestHeaders.projectId);
  if (!projectId) fail('ACCESS_TYPE_WITHOUT_PROJECT_ID', { request_type: accessType });

  const claims = await verifyClaims(headers.get(requestHeaders.accessToken), projectId, deps.accessTokens);
  const remembered = await deps.projects.find(projectId);
  const credential = await checkCredential(headers, { level: accessType, projectId, loaded: remembered }, deps);
  const loaded = remembered ?? (await deps.projects.find(projectId));
  if (loaded === undefined) fail('PROJECT_NOT_FOUND', { project_id: projectId });

  const branchId = headers.get(requestHeaders.branchId) ?? mainBranch;
  if (branchId !== mainBranch) fail('BRANCH_DOES_NOT_EXIST', { branch_id: branchId });

  const session = claims === undefined ? undefined : await findSession(claims, endpoint, deps);
  const taken = session?.use === 'taken' ? session : undefined;
  // Written out: V8 creates an object with known keys several times faster than a spread.
  const caller: Caller = {
    level: accessType,
    project: loaded.project,
    user: taken?.user ?? null,
    sessionId: taken?.id,
    impersonation: taken?.impersonation,
    ownerId: credential.ownerId,
    ownerSessionId: credential.ownerSessionId,
    ownerRole: credential.ownerRole,
    keySetId: credential.keySetId,
  };
  return { caller, token: claims, hasEndedSession: session?.use === 'refused' };
}

async function findSession(
  claims: AccessTokenClaims,
  endpoint: Pick<Endpoint, 'access' | 'endedSession'> | undefined,
  { findUser }: CredentialsDeps,
) {
  const found = await findUser(claims);
  const hasEnded = found?.hasSession === false;
  return {
    id: claims.sessionId,
    user: found?.user,
    impersonation: found?.impersonation,
    use: hasEnded ? useOfEndedSession(endpoint) : 'taken',
  };
}

function useOfEndedSession(
  endpoint: Pick<Endpoint, 'access' | 'endedSession'> | undefined,
): 'taken' | 'ignored' | 'refused' {
  if (endpoint?.endedSession === 'accepted') return 'taken';
  return endpoint === undefined || endpoint.access === 'none' || endpoint.endedSession === 'ignored'
    ? 'ignored'
    : 'refused';
}

function identifyWithoutAccessType(headers: HttpHeaders): Identity {
  if (projectCredentials.some(name => headers.get(name))) fail('PROJECT_KEY_WITHOUT_ACCESS_TYPE');
  return { caller: anonymousCaller, token: undefined, hasEndedSession: false };
}

async function verifyClaims(token: string | null, projectId: string, accessTokens: AccessTokens) {
  if (!token) return undefined;
  const verdict = await accessTokens.verify(token);
  if (verdict.status === 'unparsable') fail('UNPARSABLE_ACCESS_TOKEN');
  if (verdict.status === 'expired') fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: verdict.expiredAtMillis });
  const { claims } = verdict;
  if (claims.projectId !== projectId) {
    fail('INVALID_PROJECT_FOR_ACCESS_TOKEN', {
      expected_project_id: projectId,
      actual_project_id: claims.projectId,
    });
  }
  return claims;
}

interface Claim {
  readonly level: AccessLevel;
  readonly projectId: string;
  readonly loaded: LoadedProject | undefined;
}

type OwnerAccess = Pick<Caller, 'ownerId' | 'ownerSessionId' | 'ownerRole'>;

async function checkCredential(
  headers: HttpHeaders,
  claim: Claim,
  deps: CredentialsDeps,
): Promise<OwnerAccess & Pick<Caller, 'keySetId'>> {
  const adminToken = headers.get(requestHeaders.adminAccessToken);
  if (adminToken) return { ...(await checkAdminToken(adminToken, claim, deps)), keySetId: undefined };
  const keySetId = await checkKey(headers, claim, deps.projects);
  return { ownerId: undefined, ownerSessionId: undefined, ownerRole: undefined, keySetId };
}

/**
 * A key that is not in memory may be one that another process has just created.
 *
 * @returns the id of the key set
 */
async function checkKey(
  headers: HttpHeaders,
  { level, projectId, loaded }: Claim,
  projects: KnownProjects,
): Promise<string> {
  const { header, kind } = keyHeaders[level];
  const key = headers.get(header);
  if (!key) failMissing(level);
  const find = (project: LoadedProject | undefined) => project && projects.keySetOf(project, kind, sha256(key));
  return find(loaded) ?? find(await projects.findAgain(projectId)) ?? failInvalid(level, projectId);
}

function failMissing(level: AccessLevel): never {
  if (level === 'client') fail('CLIENT_AUTHENTICATION_REQUIRED');
  if (level === 'server') fail('SERVER_AUTHENTICATION_REQUIRED');
  fail('ADMIN_AUTHENTICATION_REQUIRED');
}

function failInvalid(level: AccessLevel, projectId: string): never {
  const details = { project_id: projectId };
  if (level === 'client') fail('INVALID_PUBLISHABLE_CLIENT_KEY', details);
  if (level === 'server') fail('INVALID_SECRET_SERVER_KEY', details);
  fail('INVALID_SUPER_SECRET_ADMIN_KEY', details);
}

/**
 * The session of a user of project `internal` replaces every key of the projects that the user owns or is a member of
 * (docs/contract/envelope.md#admin-access-tokens-and-owner-access). The pipeline checks the role.
 *
 * @returns the user, the session of the token, and the role
 */
async function checkAdminToken(
  token: string,
  { projectId, loaded }: Claim,
  deps: CredentialsDeps,
): Promise<OwnerAccess> {
  const verdict = await deps.accessTokens.verify(token);
  if (verdict.status === 'unparsable') fail('UNPARSABLE_ADMIN_ACCESS_TOKEN');
  if (verdict.status === 'expired') fail('ADMIN_ACCESS_TOKEN_EXPIRED', { expired_at_millis: verdict.expiredAtMillis });
  const { claims } = verdict;
  if (claims.projectId !== 'internal') fail('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN');
  const found = await deps.findUser(claims);
  if (found === undefined) refuse(401, 'The user of the admin access token no longer exists.');
  if (!found.hasSession) fail('ADMIN_ACCESS_TOKEN_EXPIRED', { expired_at_millis: deps.clock.now() });
  const owner = found.user;
  const isOwner = managedProjectIds(owner).includes(projectId);
  const role = isOwner ? 'owner' : await deps.findMemberRole({ projectId, userId: owner.id });
  if (role === undefined) fail('ADMIN_ACCESS_TOKEN_IS_NOT_ADMIN');
  if (loaded === undefined) fail('INVALID_PROJECT_FOR_ADMIN_ACCESS_TOKEN');
  return { ownerId: owner.id, ownerSessionId: claims.sessionId, ownerRole: roleInSession(role, found) };
}
