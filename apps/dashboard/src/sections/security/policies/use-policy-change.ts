import { useQueryClient } from '@tanstack/react-query';
import { createInOrder } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { policyQuery } from '../queries.ts';
import { words } from '../words.ts';
import type { Policy } from './policies.ts';

/** Functions that change a group of settings. */
export interface PolicyChange<Fields extends object> {
  /** Saves, for forms. Rejects when the server refuses. */
  readonly save: (changes: Partial<Fields>) => Promise<void>;
  /** Shows the change at once, saves it, and offers to undo it. A refused change is taken back. */
  readonly apply: (changes: Partial<Fields>, before: Partial<Fields>) => Promise<void>;
}

/** Changes a group of settings. */
export function usePolicyChange<Fields extends object>(policy: Policy<Fields>): PolicyChange<Fields> {
  const project = useProject();
  const cache = useQueryClient();
  const { queryKey } = policyQuery(project, policy);
  const [inOrder] = useState(createInOrder);

  async function save(changes: Partial<Fields>) {
    await policy.write(project.app, changes);
    await cache.invalidateQueries({ queryKey });
    toast.success(words.saved);
  }

  function show(changes: Partial<Fields>) {
    cache.setQueryData<Fields>(queryKey, known => known && { ...known, ...changes });
  }

  async function write(changes: Partial<Fields>, before: Partial<Fields>): Promise<boolean> {
    // A read that is under way would overwrite the new value with the old one.
    await cache.cancelQueries({ queryKey });
    show(changes);
    try {
      await inOrder(() => policy.write(project.app, changes));
      return true;
    } catch (error) {
      show(before);
      toast.error(problemWords(error));
      return false;
    } finally {
      await cache.invalidateQueries({ queryKey });
    }
  }

  async function undo(changes: Partial<Fields>, before: Partial<Fields>) {
    if (await write(before, changes)) toast.success(words.undone);
  }

  return {
    save,
    async apply(changes, before) {
      if (!(await write(changes, before))) return;
      toast.success(words.saved, { action: { label: words.undo, onClick: () => void undo(changes, before) } });
    },
  };
}
