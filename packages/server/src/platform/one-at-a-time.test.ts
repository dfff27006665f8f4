import { expect, test } from 'vitest';
import { createOneAtATime } from './one-at-a-time.ts';

/** Work that ends when it is told to. */
function work(name: string, log: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, end };
}

test('work of one key runs in the order of the calls, and that of another key beside it', async () => {
  const log: string[] = [];
  const inTurn = createOneAtATime();
  const [one, two, other] = [work('one', log), work('two', log), work('other', log)];
  const results = [inTurn('a', one.run), inTurn('a', two.run), inTurn('b', other.run)];
  two.end();
  other.end();
  expect(await results[2]).toBe('other');
  expect(log).toEqual(['one begins', 'other begins', 'other ends']);
  one.end();
  expect(await Promise.all(results)).toEqual(['one', 'two', 'other']);
  expect(log.slice(3)).toEqual(['one ends', 'two begins', 'two ends']);
});

test('a failure reaches its caller only', async () => {
  const inTurn = createOneAtATime();
  const failed = inTurn('a', () => Promise.reject(new Error('a defect')));
  const next = inTurn('a', async () => 'next');
  await expect(failed).rejects.toThrow('a defect');
  expect(await next).toBe('next');
});
