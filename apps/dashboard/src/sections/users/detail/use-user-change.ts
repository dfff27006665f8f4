import { useQueryClient } from '@tanstack/react-query';
import { useActionGuard } from '@tessera/react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useProject } from '../../../data/owner.tsx';
import { renewTeams } from '../../teams/queries.ts';

/** Changes of a user that need no form. */
export interface UserChange {
  /** Why the last change of `run` failed. */
  readonly failure: unknown;
  /** For a dialog, which shows a rejection itself: changes, reads the user again, and says what was done. */
  readonly apply: (work: () => Promise<unknown>, done: string) => Promise<void>;
  /** For a button: as `apply`, and a rejection becomes `failure`. */
  readonly run: (work: () => Promise<unknown>, done: string) => Promise<void>;
}

/** Changes a user. Everything that shows the user is read again, also after a failure: a part may have been changed. */
export function useUserChange(): UserChange {
  const project = useProject();
  const cache = useQueryClient();
  const guard = useActionGuard();
  const [failure, setFailure] = useState<unknown>();

  async function apply(work: () => Promise<unknown>, done: string) {
    setFailure(undefined);
    try {
      await work();
    } finally {
      await renewTeams(cache, project);
    }
    toast.success(done);
  }

  async function run(work: () => Promise<unknown>, done: string) {
    try {
      await guard(() => apply(work, done));
    } catch (error) {
      setFailure(error);
    }
  }

  return { failure, apply, run };
}
