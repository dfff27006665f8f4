import type { Selection } from './change-selected.ts';
import type { AskedChange } from './change-selected-dialog.tsx';
import { actionWords as words } from './selection-action-words.ts';

/** The changes of selected users in the menu. */
export const selectionActions = {
  endSessions: {
    ...words.endSessions,
    variant: 'destructive',
    change: user => user.revokeOtherSessions(),
  },
  endSuspension: {
    ...words.endSuspension,
    variant: 'primary',
    change: user => user.endSuspension(),
  },
  verify: {
    ...words.verify,
    variant: 'primary',
    change: user => user.update({ primaryEmailVerified: true }),
  },
} as const satisfies Readonly<Record<string, AskedChange>>;

/** The name of a change in the menu. */
export type SelectionAction = keyof typeof selectionActions;

/**
 * The selection without the account of the caller, who can be among the users of `internal`: the end of the own session would
 * stop the change of the others halfway.
 */
export function withoutOwn({ ids, nameOf }: Selection, ownId: string): Selection {
  return { ids: ids.filter(id => id !== ownId), nameOf };
}
