import type { TeamRole } from '@tessera/client';
import type { Translate, WordKey } from '../../../words/words.ts';

/** The roles of every new project have translated names. */
const knownRoles: Readonly<Record<string, WordKey>> = {
  team_admin: 'role.admin',
  team_member: 'role.member',
};

/** The name of a role: translated, or the words of its id (`billing_manager` is "Billing manager"). */
export function roleName(id: string, translate: Translate): string {
  const key = Object.hasOwn(knownRoles, id) ? knownRoles[id] : undefined;
  if (key !== undefined) return translate(key);
  const words = id.replace(/^\$/, '').replaceAll(/[_:]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The roles that the signed-in user can give. */
export function assignableRoles(roles: readonly TeamRole[]): readonly TeamRole[] {
  return roles.filter(({ isAssignable }) => isAssignable);
}
