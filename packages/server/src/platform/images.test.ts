import { imageConversionsAtOnce, imageConversionsWaiting, imageConversionsWaitingPerUser } from '@tessera/protocol';
import { expect, test } from 'vitest';
import { createImageConverter } from './images.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');

/** Conversions that end when the test says so. */
function heldConversions() {
  const ends: (() => void)[] = [];
  const convert = createImageConverter(data => new Promise(resolve => ends.push(() => resolve(data))));
  const start = (caller: string | undefined) =>
    convert(png, caller).then(
      () => 'converted',
      (error: Error) => error.message,
    );
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  }
  return { start, endAll };
}

const counted = (results: string[]) => results.filter(result => result === 'converted').length;

test('one user cannot fill the queue of image conversions for the others', async () => {
  const { start, endAll } = heldConversions();
  const flood = Array.from({ length: 2 * imageConversionsWaiting }, () => start('project:eve'));
  const ada = start('project:ada');
  const server = start(undefined);
  await endAll();
  expect([await ada, await server]).toEqual(['converted', 'converted']);
  expect(counted(await Promise.all(flood))).toBe(1 + imageConversionsWaitingPerUser);
});

test('image conversions of many users are refused when the queue of the process is full', async () => {
  const { start, endAll } = heldConversions();
  const all = Array.from({ length: 3 * imageConversionsWaiting }, (_, index) => start(`project:${index}`));
  await endAll();
  const results = await Promise.all(all);
  expect(counted(results)).toBe(imageConversionsAtOnce + imageConversionsWaiting);
  expect(new Set(results)).toEqual(new Set(['converted', 'a limit is reached']));
});
