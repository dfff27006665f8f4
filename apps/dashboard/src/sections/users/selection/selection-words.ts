import { countOf } from '../../count-of.ts';

/** The words of the actions on selected users. */
export const selectionWords = {
  willDelete: (count: number) => `${countOf(count, 'user')} will be deleted`,
  undo: 'Undo',
  kept: 'Nothing was deleted',
  deleteSelected: (count: number) => `Delete ${countOf(count, 'user')}`,
  deleteSelectedText:
    'Accounts are deleted with their sessions, memberships and keys. You can take it back for 8 seconds, then it cannot be undone.',
  deletedPartly: (done: number, failed: number) => `${done} deleted, ${failed} failed`,
  failed: (names: readonly string[], count: number, reason: string) =>
    `${names.join(', ')}${count > names.length ? ` and ${(count - names.length).toLocaleString('en')} more` : ''}: ${reason}`,
  more: 'More actions',
  clearSelection: 'Clear the selection',
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
} as const;
