import type { planGrants } from '../teams/detail/plan-grants.ts';

/** A stored list of permissions after a change. What another admin added or removed meanwhile stays. */
export function changeIds(
  stored: readonly string[],
  { grant, revoke }: ReturnType<typeof planGrants>,
): readonly string[] {
  const kept = stored.filter(id => !revoke.includes(id) && !grant.includes(id));
  return [...kept, ...grant];
}
