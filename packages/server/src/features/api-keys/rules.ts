import { type AccessLevel, type ApiKeyKind, fail } from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import { refuse } from '../../http/refusal.ts';

/** The owner of a key. */
export interface Owner {
  readonly kind: ApiKeyKind;
  readonly id: string;
}

/** The fields that decide whether a key is valid. */
export interface KeyState {
  readonly owner: Owner;
  readonly isPublic: boolean;
  readonly expiresAtMillis: number | null;
  readonly manuallyRevokedAtMillis: number | null;
  /** What the key is limited to; null without a limit. */
  readonly scopes: readonly string[] | null;
}

/** Refuses every operation on keys of a kind that is switched off. @throws a text 400 */
export function assertKindAllowed(
  kind: ApiKeyKind,
  config: Pick<ProjectConfig, 'allowUserApiKeys' | 'allowTeamApiKeys'>,
): void {
  const isAllowed = kind === 'user' ? config.allowUserApiKeys : config.allowTeamApiKeys;
  if (!isAllowed) refuse(400, `API keys of ${kind}s are switched off for this project.`);
}

/** The caller who manages keys. */
export interface Requester {
  readonly level: AccessLevel;
  /** Undefined without a signed-in user. */
  readonly userId: string | undefined;
}

/**
 * Clients manage their own keys, and those of teams in which they have the permission. For other teams the answer is the
 * same as for teams that do not exist (docs/contract/api-keys.md#key-rules).
 *
 * @param held the permissions of the caller in the team that owns the keys
 * @throws USER_AUTHENTICATION_REQUIRED, API_KEY_NOT_FOUND, or a text 403
 */
export function assertMayManage(owner: Owner, requester: Requester, held: ReadonlySet<string>): void {
  if (requester.level !== 'client') return;
  if (requester.userId === undefined) fail('USER_AUTHENTICATION_REQUIRED');
  if (owner.kind === 'team' && !held.has('$manage_api_keys')) fail('API_KEY_NOT_FOUND');
  if (owner.kind === 'user' && owner.id !== requester.userId)
    refuse(403, 'Clients can only manage their own API keys.');
}

/** 0 means the same as null on the wire: the key never expires. */
export function normalizeExpiry(expiresAtMillis: number | null): number | null {
  return expiresAtMillis === 0 ? null : expiresAtMillis;
}

/** An expired key stays expired: its owner makes a new one. @throws a text 400 */
export function assertMayExtend(
  key: Pick<KeyState, 'expiresAtMillis'>,
  expiresAtMillis: number | null,
  nowMillis: number,
): void {
  if (!isExpired(key, nowMillis) || isExpired({ expiresAtMillis }, nowMillis)) return;
  refuse(400, 'An expired API key cannot be extended.');
}

/**
 * Checks a presented key, in the order of docs/contract/api-keys.md#key-rules. Control 93.
 *
 * @throws API_KEY_NOT_FOUND, WRONG_API_KEY_TYPE, API_KEY_REVOKED, API_KEY_EXPIRED
 */
export function assertValid<K extends KeyState>(
  key: K | undefined,
  { kind, nowMillis }: { kind: ApiKeyKind; nowMillis: number },
): asserts key is K {
  if (key === undefined) fail('API_KEY_NOT_FOUND');
  if (key.owner.kind !== kind) fail('WRONG_API_KEY_TYPE', { expected_type: kind, actual_type: key.owner.kind });
  const ended = reasonOfEnd(key, nowMillis);
  if (ended !== undefined) fail(ended);
}

/**
 * A key without scopes passes. Scopes only limit a key: what its owner may do is a separate question.
 *
 * @throws API_KEY_SCOPE_MISSING with the scopes that the key does not have
 */
export function assertScopes({ scopes }: Pick<KeyState, 'scopes'>, required: readonly string[]): void {
  if (scopes === null) return;
  const missing = required.filter(scope => !scopes.includes(scope));
  if (missing.length > 0) fail('API_KEY_SCOPE_MISSING', { missing_scopes: missing });
}

/** Why a key is no longer valid; undefined while it is. */
export function reasonOfEnd(key: KeyState, nowMillis: number): 'API_KEY_REVOKED' | 'API_KEY_EXPIRED' | undefined {
  if (key.manuallyRevokedAtMillis !== null) return 'API_KEY_REVOKED';
  return isExpired(key, nowMillis) ? 'API_KEY_EXPIRED' : undefined;
}

/**
 * Decides about a leaked key, in the order of docs/contract/api-keys.md#leaked-keys.
 *
 * @returns false when it is already revoked
 * @throws API_KEY_NOT_FOUND, PUBLIC_API_KEY_CANNOT_BE_REVOKED, API_KEY_EXPIRED
 */
export function mustRevokeLeaked<K extends KeyState>(key: K | undefined, nowMillis: number): key is K {
  if (key === undefined) fail('API_KEY_NOT_FOUND');
  if (key.isPublic) fail('PUBLIC_API_KEY_CANNOT_BE_REVOKED');
  if (isExpired(key, nowMillis)) fail('API_KEY_EXPIRED');
  return key.manuallyRevokedAtMillis === null;
}

function isExpired({ expiresAtMillis }: Pick<KeyState, 'expiresAtMillis'>, nowMillis: number): boolean {
  return expiresAtMillis !== null && expiresAtMillis <= nowMillis;
}

/** The last use is written at most once in this period. */
export const usePrecisionMs = 60_000;

export function isUseDue(lastUsedAtMillis: number | null, nowMillis: number): boolean {
  return lastUsedAtMillis === null || nowMillis - lastUsedAtMillis >= usePrecisionMs;
}
