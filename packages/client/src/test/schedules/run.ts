import { isKnown } from '@tessera/protocol/errors';
import { internals } from '../../app/internals-symbol.ts';
import { RequestError } from '../../transport/request-error.ts';
import { clientApp } from '../apps.ts';
import { createAuthServer } from './auth-server.ts';
import { createScheduledBrowser, type Tab } from './browser.ts';
import type { Event, Schedule } from './schedule.ts';
import { createTime } from './time.ts';

/** Longer than all attempts of a request with their pauses, and than a lock is waited for. */
const quietMs = 120_000;
/** How soon another tab's sign-in and sign-out must show (control 41). */
const noticedWithinMs = 500;

/** The signed-in user, null without one, or either while a sign-in or sign-out is under way. */
type Expected = string | null | 'either';

interface OpenTab {
  readonly tab: Tab;
  readonly app: ReturnType<typeof clientApp>;
  readonly shown: (() => unknown)[];
}

/**
 * Plays a schedule with the SDK in every tab and compares it with a model: a user stays signed in until the next
 * sign-out, and signed out until the next sign-in.
 *
 * @throws when the SDK and the model differ
 */
export async function runSchedule(schedule: Schedule, chunksLoaded?: () => Promise<void>): Promise<void> {
  const time = createTime(chunksLoaded);
  let requests = 0;
  const turn = <T>(of: readonly T[]) => of[requests++ % of.length] as T;
  const server = createAuthServer(time, schedule);
  const browser = createScheduledBrowser(time, server, {
    ...schedule,
    nextFate: () => turn(schedule.fates),
    nextLatencyMs: () => turn(schedule.latenciesMs),
  });

  let expected: Expected = null;
  /** Counts everything that may change who is signed in. */
  let epoch = 0;
  const failures: string[] = [];
  let tabs: OpenTab[] = [];

  function open(): void {
    const tab = browser.openTab();
    tabs.push({ tab, app: clientApp(tab.platform, { tokenStore: 'cookie' }), shown: [] });
  }

  /** Changes that are under way; those that met another one may come out either way. */
  const underWay = new Set<{ readonly by: OpenTab; isMixed: boolean }>();

  /** Runs what may change the signed-in user. While it runs, the user is unknown. */
  async function change(by: OpenTab, run: () => Promise<unknown>, outcome: string | null): Promise<void> {
    const own = { by, isMixed: underWay.size > 0 };
    for (const other of underWay) other.isMixed = true;
    underWay.add(own);
    epoch++;
    const before = expected;
    expected = 'either';
    const conclude = (known: Expected) => {
      underWay.delete(own);
      epoch++;
      if (!own.isMixed) expected = known;
    };
    try {
      await run();
      conclude(outcome);
    } catch (error) {
      if (!isExpectedFailure(error)) failures.push(`a change failed with ${String(error)}`);
      // A sign-in that failed changes nothing. A sign-out may have reached the server all the same.
      conclude(outcome === null ? 'either' : before);
    }
  }

  async function use({ app, tab }: OpenTab): Promise<void> {
    const [before, since] = [expected, epoch];
    try {
      const user = await app.getUser();
      if (since !== epoch || before === 'either' || !tab.isAlive) return;
      if ((user?.id ?? null) !== before) failures.push(`${before} was expected, and it was ${user?.id ?? 'no user'}`);
    } catch (error) {
      if (!isExpectedFailure(error)) failures.push(`a use failed with ${String(error)}`);
    }
  }

  function watch({ app, shown }: OpenTab): void {
    const reader = app[internals].user();
    reader.subscribe(() => {});
    shown.push(() => reader.peek());
  }

  async function play(event: Event): Promise<void> {
    if (event.do === 'pass') return time.pass(event.delayMs);
    if (event.do === 'open') return open();
    const target = tabs[event.tab % Math.max(1, tabs.length)];
    // The only event for a sleeping tab is waking it.
    if (target === undefined || (target.tab.isAsleep && event.do !== 'wake')) return;
    // What was begun has been sent before a tab sleeps or goes.
    await time.pass(0);
    playIn(target, event);
  }

  function playIn(target: OpenTab, event: Exclude<Event, { do: 'pass' | 'open' }>): void {
    const { tab, app } = target;
    switch (event.do) {
      case 'sign in': {
        const options = { email: event.person, password: 'secret', noRedirect: true };
        void change(target, () => app.signInWithCredential(options), event.person);
        break;
      }
      case 'sign out':
        void change(target, () => app.signOut(), null);
        break;
      case 'use':
        void use(target);
        break;
      case 'watch':
        watch(target);
        break;
      case 'kill':
        kill(target);
        break;
      case 'sleep':
        tab.sleep();
        break;
      case 'wake':
        tab.wake();
        break;
      case 'go offline':
        tab.isOnline = false;
        break;
      case 'go online':
        tab.isOnline = true;
        break;
    }
  }

  function kill(target: OpenTab): void {
    target.tab.kill();
    // Its changes never end; the signed-in user stays unknown until the next sign-in or sign-out.
    for (const change of underWay) if (change.by === target) underWay.delete(change);
    tabs = tabs.filter(other => other !== target);
  }

  open();
  for (const event of schedule.events) await play(event);

  for (const { tab } of tabs) {
    tab.isOnline = true;
    tab.wake();
  }
  await time.pass(quietMs);
  await compareAll();
  if (failures.length > 0) throw new Error(failures.join('\n'));

  /** When no work is left, every tab has the state of the model. */
  async function compareAll(): Promise<void> {
    if (tabs.length === 0) open();
    for (const target of tabs) watch(target);
    await time.pass(quietMs);
    const named = browser.readCookies().includes('stack-refresh-p1=');
    if (expected === null && named) failures.push('a session came back after the sign-out');
    for (const { shown } of tabs) {
      for (const peek of shown) assertShown(peek());
    }
    if (expected === null || expected === 'either') return;
    const [first] = tabs;
    if (first === undefined) return;
    await signOutEverywhere(first);
  }

  function assertShown(result: unknown): void {
    const { status, data, error } = Object(result) as {
      status?: string;
      data?: { id: string } | null;
      error?: unknown;
    };
    if (status === 'error' && isExpectedFailure(error)) return;
    const who = data?.id ?? null;
    if (expected !== 'either' && who !== expected) failures.push(`${expected} was expected, and ${who} was shown`);
  }

  /** Control 41: other tabs see it within half a second after the cookies have changed. */
  async function signOutEverywhere(first: OpenTab): Promise<void> {
    let isOut = false;
    const left = first.app.signOut().then(
      () => {
        isOut = true;
      },
      () => {},
    );
    for (let passedMs = 0; passedMs < quietMs && !isOut; passedMs += noticedWithinMs) await time.pass(noticedWithinMs);
    await Promise.race([left, time.pass(noticedWithinMs)]);
    if (!isOut) return;
    await time.pass(noticedWithinMs);
    expected = null;
    for (const { shown } of tabs) {
      for (const peek of shown) assertShown(peek());
    }
  }
}

/**
 * What a bad connection comes to: no answer, a token that was found expired by the last of five attempts, or another
 * session in the place of the one that was asked. All say so and change nothing.
 */
function isExpectedFailure(error: unknown): boolean {
  if (error instanceof RequestError || isKnown(error, 'INVALID_ACCESS_TOKEN')) return true;
  return error instanceof Error && error.message.startsWith('Another session has taken');
}
