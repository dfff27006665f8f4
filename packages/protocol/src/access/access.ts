/**
 * The three access levels, lowest first (docs/contract/envelope.md#access-levels). A caller with a level may call
 * everything that lower levels may.
 */
export const accessLevels = ['client', 'server', 'admin'] as const;

export type AccessLevel = (typeof accessLevels)[number];

/** One value for every level, or one per level; a level without its own value has that of the next lower level. */
export type Leveled<T> = T | PerLevel<T>;

export interface PerLevel<T> {
  readonly client?: T;
  readonly server: T;
  readonly admin?: T;
}

export function isAccessLevel(value: unknown): value is AccessLevel {
  return accessLevels.some(level => level === value);
}

/** True when `level` is at least `lowest`. */
export function isAtLeast(level: AccessLevel, lowest: AccessLevel): boolean {
  return accessLevels.indexOf(level) >= accessLevels.indexOf(lowest);
}

/** The levels from `lowest` on, lowest first: the list in `INSUFFICIENT_ACCESS_TYPE`. */
export function levelsFrom(lowest: AccessLevel): AccessLevel[] {
  return accessLevels.filter(level => isAtLeast(level, lowest));
}

export function isPerLevel<T extends object>(value: Leveled<T>): value is PerLevel<T> {
  return !('_zod' in value);
}

/** The schema of `level`; without a level (no access type was sent) that of the lowest one. */
export function atLevel<T extends object>(value: Leveled<T>, level: AccessLevel | null): T {
  if (!isPerLevel(value)) return value;
  if (level === 'admin') return value.admin ?? value.server;
  if (level === 'server') return value.server;
  return value.client ?? value.server;
}
