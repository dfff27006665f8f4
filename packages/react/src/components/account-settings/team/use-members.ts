import { RequestError, type TeamManagement, type TeamMember, type TeamMembersPage } from '@tessera/client';
import { createInOrder } from '@tessera/ui';
import { useState } from 'react';
import { type Load, useLoad } from '../../../hooks/use-load.ts';

/** The loaded members of a team, and their changes. */
export interface TeamMembersLoad extends Load<TeamMembersPage> {
  /** Loads the page after a cursor. */
  readonly more: (cursor: string) => Promise<void>;
  /** Shows a change of the server, and loads the members again, because others can change with it. */
  readonly reload: (edit: (items: readonly TeamMember[]) => readonly TeamMember[]) => Promise<void>;
}

export function useMembers(management: TeamManagement): TeamMembersLoad {
  const load = useLoad(() => management.getMembers());
  // An older answer must not replace a newer one.
  const [inOrder] = useState(createInOrder);

  async function more(cursor: string) {
    const next = await management.getMembers({ cursor });
    load.change(page => ({ ...next, items: [...page.items, ...next.items] }));
  }

  function reload(edit: (items: readonly TeamMember[]) => readonly TeamMember[]) {
    load.change(page => ({ ...page, items: edit(page.items) }));
    return inOrder(async () => {
      try {
        const first = await management.getMembers();
        load.change(page => withLaterPages(first, page));
      } catch (error) {
        // The change succeeded, and the list shows it.
        if (!(error instanceof RequestError)) throw error;
      }
    });
  }

  return { ...load, more, reload };
}

/** A first page that was read again, and what was loaded after it. */
function withLaterPages(first: TeamMembersPage, { items, nextCursor }: TeamMembersPage): TeamMembersPage {
  if (first.nextCursor === null || items.length <= first.items.length) return first;
  const ids = first.items.map(({ userId }) => userId);
  return { ...first, items: [...first.items, ...items.filter(({ userId }) => !ids.includes(userId))], nextCursor };
}

/** The name of a member, or the address; undefined when neither may be seen. */
export function memberName({ displayName, primaryEmail }: TeamMember): string | undefined {
  return displayName || primaryEmail || undefined;
}
