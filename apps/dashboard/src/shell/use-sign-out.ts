import { toast } from 'sonner';
import { useOwner } from '../data/owner.tsx';
import { problemWords } from '../data/problem-words.ts';
import { sessionEnd } from './session-end.ts';

/** Returns a function that signs the owner out. A toast shows a failure, because menus have closed by then. */
export function useSignOut(): () => void {
  const owner = useOwner();
  return () => {
    sessionEnd.expect();
    owner.signOut().catch(error => {
      sessionEnd.note(true);
      toast.error(problemWords(error));
    });
  };
}
