import { countOf } from '../../count-of.ts';

/** The words of suspending users. */
export const words = {
  title: 'Suspend this user',
  text: 'The user is signed out everywhere and cannot sign in, and their API keys do not work. The account and its data stay.',
  textOfMany:
    'They are signed out everywhere and cannot sign in, and their API keys do not work. The accounts and their data stay.',
  suspend: 'Suspend the user',
  question: (count: number) => (count === 1 ? 'Suspend this user?' : `Suspend ${count.toLocaleString('en')} users?`),
  suspendSelected: (count: number) => `Suspend ${countOf(count, 'user')}`,
  reason: 'Reason (optional)',
  reasonHint: 'For your team and the audit log. The user does not see it.',
  done: (count: number) => countOf(count, 'user is suspended', 'users are suspended'),
  partly: (done: number, failed: number) => `${done} suspended, ${failed} failed`,
  notice: 'This user is suspended',
  since: 'Since',
  reasonWas: (reason: string) => `Reason: ${reason}`,
  noReason: 'No reason was given.',
  end: 'End the suspension',
  ended: 'The user can sign in again',
} as const;
