import type { planGrants } from '../teams/detail/plan-grants.ts';

interface HasId {
  readonly id: string;
}

/** A stored list of default permissions after a change. What another admin added or removed meanwhile stays. */
export function changeDefaults(
  stored: readonly HasId[],
  { grant, revoke }: ReturnType<typeof planGrants>,
): readonly HasId[] {
  const kept = stored.filter(({ id }) => !revoke.includes(id) && !grant.includes(id));
  return [...kept, ...grant.map(id => ({ id }))];
}
