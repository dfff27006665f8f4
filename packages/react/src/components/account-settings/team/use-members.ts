import type { TeamManagement, TeamMember, TeamMembersPage } from '@tessera/client';
import { createInOrder } from '@tessera/ui';
import { useState } from 'react';
import { type Load, useLoad } from '../../../hooks/use-load.ts';

/** The loaded members of a team, and their changes. */
export interface TeamMembersLoad extends Load<TeamMembersPage> {
  /** Loads the page after a cursor. */
  readonly more: (cursor: string) => Promise<void>;
  /** Loads the members again, after a change on the server. */
  readonly reload: () => Promise<void>;
}

export function useMembers(management: TeamManagement): TeamMembersLoad {
  const load = useLoad(() => management.getMembers());
  // An older answer must not replace a newer one.
  const [inOrder] = useState(createInOrder);

  async function more(cursor: string) {
    const next = await management.getMembers({ cursor });
    load.change(page => ({ ...next, items: [...page.items, ...next.items] }));
  }

  function reload() {
    return inOrder(() => management.getMembers().then(first => load.change(() => first)));
  }

  return { ...load, more, reload };
}

/** The name of a member, or the address; undefined when neither may be seen. */
export function memberName({ displayName, primaryEmail }: TeamMember): string | undefined {
  return displayName || primaryEmail || undefined;
}
