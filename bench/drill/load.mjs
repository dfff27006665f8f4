import { setTimeout as pause } from 'node:timers/promises';
import { ClientApp, ServerApp } from '@tessera/client';

const password = 'correct horse battery staple';
const people = 6;
const verificationCallbackUrl = 'http://localhost:3000/verify';
/** Between two calls of one loop. */
const thinkMs = 150;
const checkMs = 100;
const recoveryMs = 60_000;
const stopMs = 15_000;

/**
 * Steady load through the SDK, and the ledger of what was acknowledged.
 *
 * @typedef {{ kind: string, startedAt: number, endedAt: number | undefined, error: string | undefined }} Call
 */

/**
 * @param {{ baseUrl: string, keys: import('./stage.mjs').Stage['keys'] }} stage
 * @param {Record<string, number>} loops how many loops of a kind run side by side; one without an entry
 */
export async function startLoad({ baseUrl, keys }, loops = {}) {
  const options = { baseUrl, projectId: 'internal', publishableClientKey: keys.publishableClientKey };
  const clientApp = tokenStore => new ClientApp({ ...options, tokenStore, redirectMethod: 'none' });
  const serverApp = () => new ServerApp({ ...options, secretServerKey: keys.secretServerKey, tokenStore: null });
  const calls = [];
  /** Display name by user id: the newest that was acknowledged, as a number. */
  const names = new Map();
  const signedUp = [];
  let serial = 0;
  let isOver = false;

  /** Reads the project, as a sign-in page does. An app repeats a write only when it knows that it may. */
  async function openedApp() {
    const app = clientApp('memory');
    await app.getProject();
    return app;
  }

  async function signUp() {
    const email = `drill-${serial++}@example.com`;
    const app = await openedApp();
    orThrow(await app.signUpWithCredential({ email, password, verificationCallbackUrl, noRedirect: true }));
    signedUp.push(email);
    return { app, email };
  }

  const crowd = await Promise.all(
    Array.from({ length: people }, async () => {
      const { app, email } = await signUp();
      const user = await app.getUser({ or: 'throw' });
      const { refreshToken } = await user.currentSession.getTokens();
      return { email, user, refreshToken };
    }),
  );
  const someone = turn => crowd[turn % crowd.length];

  const kinds = {
    'sign-up': signUp,
    'sign-in': async turn =>
      orThrow(
        await (await openedApp()).signInWithCredential({ email: someone(turn).email, password, noRedirect: true }),
      ),
    refresh: async turn => {
      const user = await clientApp({ accessToken: '', refreshToken: someone(turn).refreshToken }).getUser();
      if (user === null) throw new Error('signed out');
    },
    update: async turn => {
      const { user } = someone(turn);
      const name = serial++;
      await user.update({ displayName: String(name) });
      names.set(user.id, Math.max(name, names.get(user.id) ?? 0));
    },
    'key check': async turn => {
      if ((await serverApp().getUser(someone(turn).user.id)) === null) throw new Error('the user is gone');
    },
  };

  async function loop(kind, work) {
    for (let turn = 0; !isOver; turn++) {
      const call = { kind, startedAt: performance.now(), endedAt: undefined, error: undefined };
      calls.push(call);
      call.error = await work(turn).then(() => undefined, nameOf);
      call.endedAt = performance.now();
      await pause(thinkMs);
    }
  }
  const running = Object.entries(kinds).flatMap(([kind, work]) =>
    Array.from({ length: loops[kind] ?? 1 }, () => loop(kind, work)),
  );

  return {
    calls,
    /** @returns whether a call of every kind that began now has succeeded within a minute */
    async isHealthy() {
      const since = performance.now();
      const isSuccess = ({ startedAt, endedAt, error }) =>
        startedAt > since && endedAt !== undefined && error === undefined;
      const hasSucceeded = kind => calls.some(call => call.kind === kind && isSuccess(call));
      while (performance.now() < since + recoveryMs) {
        if (Object.keys(kinds).every(hasSucceeded)) return true;
        await pause(checkMs);
      }
      return false;
    },
    /** Writes that were acknowledged and are not there any more. */
    async lostWrites() {
      const newest = new Map(names);
      const emails = [...signedUp];
      const people = await usersOf(serverApp());
      const lostAccounts = emails.filter(email => !people.some(({ primaryEmail }) => primaryEmail === email));
      const lostNames = [...newest].filter(
        ([id, name]) => Number(people.find(user => user.id === id)?.displayName) < name,
      );
      return lostAccounts.length + lostNames.length;
    },
    /** Calls that hang are left behind. */
    async stop() {
      isOver = true;
      await Promise.race([Promise.all(running), pause(stopMs)]);
    },
  };
}

async function usersOf(app) {
  const users = [];
  let cursor;
  do {
    const page = await app.listUsers({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    users.push(...page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return users;
}

function orThrow(result) {
  if (result.status === 'error') throw result.error;
}

function nameOf(error) {
  const { status, errorCode, reason } = error;
  return String(errorCode ?? (status === undefined ? (reason ?? error.message) : `${status}`)).slice(0, 60);
}
