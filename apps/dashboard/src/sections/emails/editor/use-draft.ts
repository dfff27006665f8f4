import { useState } from 'react';
import type { EmailDraft } from './blocks.ts';
import { type History, record, redo, startHistory, undo } from './history.ts';

/** A draft with its history. */
export interface DraftState {
  readonly draft: EmailDraft;
  readonly change: (draft: EmailDraft, field?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export function useDraft(initial: EmailDraft): DraftState {
  const [history, setHistory] = useState<History<EmailDraft>>(() => startHistory(initial));
  return {
    draft: history.present,
    change: (draft, field) => setHistory(known => record(known, draft, field)),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  };
}
