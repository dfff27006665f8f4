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
export async function startLoad(stage, loops = {}) {
  const apps = createApps(stage);
  const ledger = createLedger();
  const crowd = await Promise.all(Array.from({ length: people }, () => signUpMember(apps, ledger)));
  const kinds = createKinds(apps, { ledger, crowd });
  const running = startLoops(kinds, { ledger, loops });
  return {
    calls: ledger.calls,
    /** @returns whether a call of every kind that began now has succeeded within a minute */
    isHealthy: () => isHealthy(Object.keys(kinds), ledger),
    /** Writes that were acknowledged and are not there any more. */
    lostWrites: () => countLostWrites(apps, ledger),
    /** Calls that hang are left behind. */
    stop: () => Promise.race([running.stop(), pause(stopMs)]),
  };
}

function createApps({ baseUrl, keys }) {
  const options = { baseUrl, projectId: 'internal', publishableClientKey: keys.publishableClientKey };
  return {
    client: tokenStore => new ClientApp({ ...options, tokenStore, redirectMethod: 'none' }),
    server: () => new ServerApp({ ...options, secretServerKey: keys.secretServerKey, tokenStore: null }),
  };
}

function createLedger() {
  let serial = 0;
  return {
    calls: [],
    /** Display name by user id: the newest that was acknowledged, as a number. */
    names: new Map(),
    signedUp: [],
    nextNumber: () => serial++,
  };
}

/** Reads the project, as a sign-in page does. An app repeats a write only when it knows that it may. */
async function openApp(apps) {
  const app = apps.client('memory');
  await app.getProject();
  return app;
}

async function signUp(apps, ledger) {
  const email = `drill-${ledger.nextNumber()}@example.com`;
  const app = await openApp(apps);
  orThrow(await app.signUpWithCredential({ email, password, verificationCallbackUrl, noRedirect: true }));
  ledger.signedUp.push(email);
  return { app, email };
}

/** A user with an open session. */
async function signUpMember(apps, ledger) {
  const { app, email } = await signUp(apps, ledger);
  const user = await app.getUser({ or: 'throw' });
  const { refreshToken } = await user.currentSession.getTokens();
  return { email, user, refreshToken };
}

/** The calls of the load by kind. Each gets the number of its turn, which selects the user. */
function createKinds(apps, { ledger, crowd }) {
  const memberOf = turn => crowd[turn % crowd.length];
  return {
    'sign-up': () => signUp(apps, ledger),
    'sign-in': async turn => {
      const app = await openApp(apps);
      orThrow(await app.signInWithCredential({ email: memberOf(turn).email, password, noRedirect: true }));
    },
    refresh: async turn => {
      const user = await apps.client({ accessToken: '', refreshToken: memberOf(turn).refreshToken }).getUser();
      if (user === null) throw new Error('signed out');
    },
    update: async turn => {
      const { user } = memberOf(turn);
      const name = ledger.nextNumber();
      await user.update({ displayName: String(name) });
      ledger.names.set(user.id, Math.max(name, ledger.names.get(user.id) ?? 0));
    },
    'key check': async turn => {
      if ((await apps.server().getUser(memberOf(turn).user.id)) === null) throw new Error('the user is gone');
    },
  };
}

/** @returns the loops, each of which ends after its current call once `stop` was called */
function startLoops(kinds, { ledger, loops }) {
  let isOver = false;
  async function loop(kind, work) {
    for (let turn = 0; !isOver; turn++) {
      const call = { kind, startedAt: performance.now(), endedAt: undefined, error: undefined };
      ledger.calls.push(call);
      call.error = await work(turn).then(() => undefined, nameOf);
      call.endedAt = performance.now();
      await pause(thinkMs);
    }
  }
  const running = Object.entries(kinds).flatMap(([kind, work]) =>
    Array.from({ length: loops[kind] ?? 1 }, () => loop(kind, work)),
  );
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

async function isHealthy(kinds, { calls }) {
  const since = performance.now();
  const isSuccess = ({ startedAt, endedAt, error }) =>
    startedAt > since && endedAt !== undefined && error === undefined;
  const hasSucceeded = kind => calls.some(call => call.kind === kind && isSuccess(call));
  while (performance.now() < since + recoveryMs) {
    if (kinds.every(hasSucceeded)) return true;
    await pause(checkMs);
  }
  return false;
}

async function countLostWrites(apps, { names, signedUp }) {
  const newest = new Map(names);
  const emails = [...signedUp];
  const users = await usersOf(apps.server());
  const lostAccounts = emails.filter(email => !users.some(({ primaryEmail }) => primaryEmail === email));
  const lostNames = [...newest].filter(([id, name]) => Number(users.find(user => user.id === id)?.displayName) < name);
  return lostAccounts.length + lostNames.length;
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
