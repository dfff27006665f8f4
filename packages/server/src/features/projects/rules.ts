import { decideSignUp, fail, isTrustedUrl, type Json, ownedProjectsMax, type PermissionScope } from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import { refuse } from '../../http/refusal.ts';
import type { KeySet } from './internal-api-keys/store.ts';
import type { ProjectRecord } from './store.ts';

/**
 * Checks the address with which a person creates an account, or which a user adds
 * (docs/contract/sign-in-methods.md#sign-up-restrictions). Servers and admins are not restricted.
 *
 * @param address normalized; null for an account without an address
 * @throws EMAIL_ADDRESS_NOT_ALLOWED
 */
export function assertAddressAllowed(
  address: string | null,
  { signUpRestrictions }: Pick<ProjectConfig, 'signUpRestrictions'>,
): void {
  if (!decideSignUp(address, signUpRestrictions).isAllowed) fail('EMAIL_ADDRESS_NOT_ALLOWED');
}

/** @throws REDIRECT_URL_NOT_WHITELISTED for a URL outside the trusted domains of the project */
export function assertTrustedUrl(callbackUrl: string, config: ProjectConfig): void {
  if (!isTrustedUrl(callbackUrl, config)) fail('REDIRECT_URL_NOT_WHITELISTED');
}

/** The changes of a project; undefined fields stay. */
export interface ProjectChanges {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly isProductionMode?: boolean | undefined;
  /** Each named setting is replaced as a whole; a setting with the value undefined is unset. */
  readonly config?: SettingChanges | undefined;
}

export type SettingChanges = { readonly [Key in keyof ProjectConfig]?: ProjectConfig[Key] | undefined };

/** True for a change that decides through what and where to the codes that sign users in are sent. */
export function redirectsCodes(
  { config = {} }: ProjectChanges,
  current: Pick<ProjectConfig, 'allowLocalhost'>,
): boolean {
  const allowsLocalhost = config.allowLocalhost === true && !current.allowLocalhost;
  return config.emailConfig !== undefined || config.domains !== undefined || allowsLocalhost;
}

export function applyProjectChanges(project: ProjectRecord, changes: ProjectChanges): ProjectRecord {
  return {
    ...project,
    displayName: changes.displayName ?? project.displayName,
    description: changes.description ?? project.description,
    isProductionMode: changes.isProductionMode ?? project.isProductionMode,
    config: { ...project.config, ...changes.config },
  };
}

const defaultSets = [
  ['teamCreatorDefaultPermissions', 'team'],
  ['teamMemberDefaultPermissions', 'team'],
  ['userDefaultPermissions', 'project'],
] as const;

/**
 * The permissions that a change adds to default sets, with the scope that each must have
 * (docs/contract/permissions.md#default-sets). A set keeps the id of a renamed permission, which is not added again.
 */
export function addedDefaultPermissions(
  changes: SettingChanges = {},
  before: SettingChanges = {},
): { id: string; scope: PermissionScope }[] {
  return defaultSets.flatMap(([set, scope]) =>
    (changes[set] ?? []).filter(id => before[set]?.includes(id) !== true).map(id => ({ id, scope })),
  );
}

interface Requester {
  readonly project: { readonly id: string };
  readonly user: { readonly isAnonymous: boolean } | null;
}

/**
 * Only users of `internal` own projects (docs/contract/projects.md#project-endpoints).
 *
 * @throws USER_AUTHENTICATION_REQUIRED, EXPECTED_INTERNAL_PROJECT
 */
export function assertInternalUser<A extends Requester>(
  requester: A,
): asserts requester is A & { user: NonNullable<A['user']> } {
  if (requester.user === null) fail('USER_AUTHENTICATION_REQUIRED');
  if (requester.project.id !== 'internal') fail('EXPECTED_INTERNAL_PROJECT');
}

/** @throws the errors of `assertInternalUser`, and a text 403 for an anonymous user */
export function assertMayCreateProject<A extends Requester>(
  requester: A,
): asserts requester is A & { user: NonNullable<A['user']> } {
  assertInternalUser(requester);
  if (requester.user.isAnonymous) refuse(403, 'Anonymous users cannot create projects. Please sign up first.');
}

/** @throws a text 403 */
export function assertMayOwn(count: number): void {
  if (count > ownedProjectsMax) refuse(403, `A person can own ${ownedProjectsMax} projects at most.`);
}

/** Server metadata with these projects in its ownership record; all other keys stay. */
export function replaceManagedProjects(metadata: Json, managedProjectIds: readonly string[]): Json {
  const others = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {};
  return { ...others, managedProjectIds: [...managedProjectIds] };
}

/** A key set after a change. A second revocation keeps the first time (docs/contract/api-keys.md#internal-api-keys). */
export function applyKeySetChanges(
  set: KeySet,
  { description = set.description, isRevoked }: { description: string | undefined; isRevoked: boolean },
  nowMillis: number,
): KeySet {
  const revokedAtMillis = set.manuallyRevokedAtMillis ?? (isRevoked ? nowMillis : null);
  return { ...set, description, manuallyRevokedAtMillis: revokedAtMillis };
}
