import { countOf } from '../../count-of.ts';

const users = (count: number) => countOf(count, 'user');

/** The words of the menu of the selected users. */
export const actionWords = {
  write: 'Write an email',
  writeLimit: (max: number) => `Write an email (to ${max.toLocaleString('en')} users at most)`,
  csv: 'Export as CSV',
  lines: 'Export as JSON',
  exportFailed: 'Nothing was exported',
  exportedWithout: (missing: number) =>
    `Without ${users(missing)} who ${missing === 1 ? 'is' : 'are'} no longer in the project`,
  ownSessionsStay: 'Your own sessions stay. You can end them in your account settings.',
  endSessions: {
    label: 'End all sessions',
    question: (count: number) => `End all sessions of ${users(count)}?`,
    text: 'They are signed out everywhere and can sign in again. Their API keys keep working.',
    confirm: (count: number) => `End the sessions of ${users(count)}`,
    done: (count: number) => `The sessions of ${users(count)} have ended`,
    partly: (done: number, failed: number) => `Sessions of ${users(done)} ended, ${failed.toLocaleString('en')} failed`,
  },
  endSuspension: {
    label: 'End the suspension',
    question: (count: number) => `End the suspension of ${users(count)}?`,
    text: 'They can sign in again, and their API keys work again.',
    confirm: (count: number) => `End the suspension of ${users(count)}`,
    done: (count: number) => `${users(count)} can sign in again`,
    partly: (done: number, failed: number) =>
      `Suspension of ${users(done)} ended, ${failed.toLocaleString('en')} failed`,
  },
  verify: {
    label: 'Mark the address as verified',
    question: (count: number) =>
      count === 1 ? 'Mark the address as verified?' : `Mark the addresses of ${users(count)} as verified?`,
    text: 'Only do this for primary addresses that you know to be theirs. No email is sent.',
    confirm: (count: number) => `Mark ${countOf(count, 'address', 'addresses')} as verified`,
    done: (count: number) => countOf(count, 'address is verified', 'addresses are verified'),
    partly: (done: number, failed: number) =>
      `${done.toLocaleString('en')} verified, ${failed.toLocaleString('en')} failed`,
  },
} as const;
