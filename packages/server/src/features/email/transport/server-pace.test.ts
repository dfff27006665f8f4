import { expect, test } from 'vitest';
import type { MailFailure } from '../queue/failures.ts';
import { createServerPaces } from './server-pace.ts';

/** Emails are slow after a second, on a clock that the test sets. */
function openPaces() {
  let nowMs = 0;
  const paces = createServerPaces(1_000, () => nowMs);
  const wait = (ms: number) => {
    nowMs += ms;
  };
  /** Starts an email. @returns to call at its end */
  function start(server: string, projectId: string): (failure?: MailFailure) => Promise<unknown> {
    let end: (failure: MailFailure | null) => void = () => {};
    const sending = paces.time(
      { server, projectId },
      () =>
        new Promise(resolve => {
          end = resolve;
        }),
    );
    return failure => {
      end(failure ?? null);
      return sending;
    };
  }
  async function send(server: string, projectId: string, tookMs: number): Promise<void> {
    const end = start(server, projectId);
    wait(tookMs);
    await end();
  }
  const room = (server: string, projectId: string) => paces.roomFor({ server, projectId });
  return { start, send, wait, room };
}

test('servers of projects get 32 emails at once, all together', async () => {
  const { start, send, room } = openPaces();
  await send('quick', 'shop', 10);
  for (let count = 0; count < 32; count++) {
    expect(room('quick', 'shop')).toBe('now');
    start('quick', 'shop');
  }
  expect(room('quick', 'shop')).toBe('soon');
});

test('an email in flight is slow after the limit, and gives its place back to others', async () => {
  const { start, send, wait, room } = openPaces();
  await send('quick', 'shop', 10);
  await send('hanging', 'blog', 10);
  for (let count = 0; count < 32; count++) start('hanging', 'blog');
  expect(room('quick', 'shop')).toBe('soon');
  wait(1_001);
  expect(room('quick', 'shop')).toBe('now');
  expect(room('hanging', 'blog')).toBe('later');
});

test('another server of a project whose last email was slow counts as slow until it is quick', async () => {
  const { start, send, room } = openPaces();
  await send('slow', 'shop', 1_001);
  expect(room('new', 'shop')).toBe('now');
  const end = start('new', 'shop');
  expect(room('new', 'shop')).toBe('later');
  await end();
  start('new', 'shop');
  expect(room('new', 'shop')).toBe('now');
});

test('a server that refuses emails quickly stays unknown', async () => {
  const { start, room } = openPaces();
  await start('refusing', 'shop')({ type: 'UNKNOWN', canRetry: true, message: 'Refused.', raw: {} });
  for (let count = 0; count < 2; count++) {
    expect(room('refusing', 'shop')).toBe('now');
    start('refusing', 'shop');
  }
  expect(room('refusing', 'shop')).toBe('soon');
});

test('a slow server that has rested for a minute gets an email while other slow servers take all places', async () => {
  const { start, send, wait, room } = openPaces();
  await send('fixed', 'shop', 1_001);
  for (const project of ['blog', 'news']) await send(`${project} server`, project, 1_001);
  const hang = () => ['blog', 'news'].map(project => start(`${project} server`, project));
  hang();
  expect(room('fixed', 'shop')).toBe('later');
  wait(60_000);
  expect(room('blog server', 'blog')).toBe('later');
  expect(room('fixed', 'shop')).toBe('now');
  expect(room('new', 'shop')).toBe('now');
  const end = start('fixed', 'shop');
  expect(room('fixed', 'shop')).toBe('later');
  await end();
  start('fixed', 'shop');
  expect(room('fixed', 'shop')).toBe('now');
});

test('rested servers get two emails at once, all together, and take no places of new ones', async () => {
  const { start, send, wait, room } = openPaces();
  const names = ['shop', 'blog', 'news'];
  for (const name of names) await send(name, name, 1_001);
  wait(60_000);
  for (const name of ['shop', 'blog']) {
    expect(room(name, name)).toBe('now');
    start(name, name);
  }
  expect(room('news', 'news')).toBe('later');
  expect(room('unknown', 'forum')).toBe('now');
});
