/**
 * Every release, oldest first; the last one is this source. A release runs on the schema of the next one, so an upgrade
 * can be rolled out and rolled back: the release before the previous one is the last that used what a migration removes.
 */
export const releases = ['0.1.0'] as const;

export interface Release {
  readonly version: string;
  /** The oldest release that runs on the schema of this one. */
  readonly minVersion: string;
}

export const thisRelease: Release = {
  version: releases[releases.length - 1] ?? releases[0],
  minVersion: releases[releases.length - 2] ?? releases[0],
};

/** @returns a negative number, 0 or a positive number, as a compare function of `sort` */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map(version => version.split('.').map(Number));
  const differences = (first ?? []).map((part, index) => part - (second?.[index] ?? 0));
  return differences.find(difference => difference !== 0) ?? 0;
}
