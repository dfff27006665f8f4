import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createSanitizer } from './sanitizer.ts';
import { createRenderingTurns } from './turns.ts';

const long = 'x'.repeat(20_001);

/** A sanitizer whose texts end when the test says so, after 100 ms on its clock. */
function openSanitizer() {
  let nowMs = 0;
  const running: (() => void)[] = [];
  const pauses: number[] = [];
  const inTurn = createRenderingTurns({ nowMs: () => nowMs, pause: async ms => void pauses.push(ms) });
  const sanitize = createSanitizer(
    inTurn,
    markup =>
      new Promise(resolve =>
        running.push(() => {
          nowMs += 100;
          resolve({ html: markup, text: '' });
        }),
      ),
  );
  return { sanitize, running, pauses };
}

test('control 88: one long text is sanitized at a time, other requests get as much time, and projects take turns', async () => {
  const { sanitize, running, pauses } = openSanitizer();
  const done: string[] = [];
  const all = ['busy', 'busy', 'busy', 'other'].map(project => sanitize(long, project).then(() => done.push(project)));
  for (let count = 1; count <= all.length; count++) {
    await vi.waitFor(() => expect(running).toHaveLength(count));
    await setImmediate();
    expect(running).toHaveLength(count);
    running[count - 1]?.();
  }
  await Promise.all(all);
  expect(done).toEqual(['busy', 'other', 'busy', 'busy']);
  expect(pauses).toEqual([100, 100, 100, 100]);
});

test('a short text does not wait for a long one', async () => {
  const { sanitize, running } = openSanitizer();
  void sanitize(long, 'busy');
  await vi.waitFor(() => expect(running).toHaveLength(1));
  const short = sanitize('short', 'busy');
  running[1]?.();
  expect(await short).toEqual({ html: 'short', text: '' });
});

test('a full queue refuses the project with most texts in it', async () => {
  const { sanitize } = openSanitizer();
  const refused: string[] = [];
  const begin = (project: string) => void sanitize(long, project).catch(() => refused.push(project));
  for (let count = 0; count <= 50; count++) begin('busy');
  begin('other');
  await vi.waitFor(() => expect(refused).toEqual(['busy']));
});

test('a text that is refused lets the next one begin', async () => {
  const sanitize = createSanitizer(createRenderingTurns(), () => Promise.reject(new Error('broken')));
  const failures = await Promise.allSettled([sanitize(long, 'a'), sanitize(long, 'a')]);
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
