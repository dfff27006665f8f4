import type { ProjectConfig } from '../../core/project-config.ts';

const dayMs = 24 * 3600 * 1000;

/**
 * When an account that its user has deleted is gone: undefined for at once. An anonymous user has no way to sign in and
 * keep the account, so there is nothing to wait for.
 */
export function deletionTimeOf(
  { isAnonymous }: { readonly isAnonymous: boolean },
  { deletionCoolingOffDays: days }: Pick<ProjectConfig, 'deletionCoolingOffDays'>,
  nowMillis: number,
): number | undefined {
  return isAnonymous || days === 0 ? undefined : nowMillis + days * dayMs;
}
