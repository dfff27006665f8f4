import { createContext, use } from 'react';
import type { Selection } from './change-selected.ts';

interface SelectionInBar {
  readonly selection: Selection;
  /** The ids of those who are suspended. */
  readonly suspendedIds: readonly string[];
  /** Called when a change of the selected users begins. */
  readonly onDone: () => void;
}

/** The selection of the bar, for its menu, which is loaded later. */
export const SelectionContext = createContext<SelectionInBar | undefined>(undefined);

/** The selected users. */
export function useSelectionInBar(): SelectionInBar {
  const value = use(SelectionContext);
  if (value === undefined) throw new Error('useSelectionInBar needs the selection bar around it');
  return value;
}
