import {
  imageConversionsAtOnce,
  imageConversionsWaiting,
  imageConversionsWaitingPerServer,
  imageConversionsWaitingPerUser,
} from '@tessera/protocol';
import { expect, test } from 'vitest';
import { ConversionsBusy, createImageConverter } from './images.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');

/** Conversions that end when the test says so. */
function heldConversions() {
  const ends: (() => void)[] = [];
  const order: string[] = [];
  const convert = createImageConverter(data => new Promise(resolve => ends.push(() => resolve(data))));
  const start = (projectId: string, userId?: string) =>
    convert(png, { projectId, userId }).then(
      () => {
        order.push(projectId);
        return 'converted';
      },
      error => (error instanceof ConversionsBusy ? 'busy' : 'failed'),
    );
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  }
  return { start, endAll, order };
}

const counted = (results: string[]) => results.filter(result => result === 'converted').length;

test('one user cannot fill the queue of image conversions for the others', async () => {
  const { start, endAll } = heldConversions();
  const flood = Array.from({ length: 2 * imageConversionsWaiting }, () => start('shop', 'eve'));
  const ada = start('shop', 'ada');
  const server = start('shop');
  await endAll();
  expect([await ada, await server]).toEqual(['converted', 'converted']);
  expect(counted(await Promise.all(flood))).toBe(1 + imageConversionsWaitingPerUser);
});

test('the server of one project cannot fill the queue of image conversions for the other projects', async () => {
  const { start, endAll, order } = heldConversions();
  const flood = Array.from({ length: 2 * imageConversionsWaiting }, () => start('shop'));
  const others = [start('blog'), start('blog', 'ada'), start('shop', 'ada')];
  await endAll();
  expect(await Promise.all(others)).toEqual(['converted', 'converted', 'converted']);
  expect(counted(await Promise.all(flood))).toBe(1 + imageConversionsWaitingPerServer);
  expect(order.slice(0, 3).filter(project => project === 'blog')).toHaveLength(2);
});

test('the many users of one project cannot fill the queue of image conversions for the other projects', async () => {
  const { start, endAll, order } = heldConversions();
  const flood = Array.from({ length: 2 * imageConversionsWaiting }, (_, index) => start('shop', `user ${index}`));
  const others = [start('blog', 'ada'), start('news')];
  await endAll();
  expect(await Promise.all(others)).toEqual(['converted', 'converted']);
  // Two images of the shop are converted already, and the shop has the next turn.
  expect(order.slice(0, 5).sort()).toEqual(['blog', 'news', 'shop', 'shop', 'shop']);
  const places = imageConversionsAtOnce + imageConversionsWaiting - others.length;
  expect((await Promise.all(flood)).filter(result => result === 'busy')).toHaveLength(flood.length - places);
});

test('image conversions of many projects are refused when the queue of the process is full', async () => {
  const { start, endAll } = heldConversions();
  const all = Array.from({ length: 3 * imageConversionsWaiting }, (_, index) => start(`project ${index}`, 'ada'));
  await endAll();
  const results = await Promise.all(all);
  expect(counted(results)).toBe(imageConversionsAtOnce + imageConversionsWaiting);
  expect(new Set(results)).toEqual(new Set(['converted', 'busy']));
});
