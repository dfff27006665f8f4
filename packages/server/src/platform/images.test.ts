import {
  imageConversionsAtOnce,
  imageConversionsWaiting,
  imageConversionsWaitingPerServer,
  imageConversionsWaitingPerUser,
} from '@tessera/protocol';
import { expect, test } from 'vitest';
import { ConversionsBusy, createImageConverter } from './images.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');

const smallPng = Buffer.concat([png, Buffer.from('small')]);

/** Conversions that end when the test says so. */
function heldConversions() {
  const running: { readonly data: Buffer; readonly end: () => void }[] = [];
  const order: string[] = [];
  let nowMs = 0;
  const convert = createImageConverter({
    convertData: data => new Promise(resolve => running.push({ data, end: () => resolve(data) })),
    prepare: async () => undefined,
    nowMs: () => nowMs,
  });
  const start = (projectId: string, userId?: string, data = png) =>
    convert(data, { projectId, userId }).then(
      () => {
        order.push(projectId);
        return 'converted';
      },
      error => (error instanceof ConversionsBusy ? 'busy' : 'failed'),
    );
  /** A small image ends first, after 20 ms; the others take 500 ms. */
  async function endOne(): Promise<void> {
    const index = Math.max(
      0,
      running.findIndex(({ data }) => data === smallPng),
    );
    const [ended] = running.splice(index, 1);
    nowMs += ended?.data === smallPng ? 20 : 500;
    ended?.end();
    await new Promise(setImmediate);
  }
  async function endAll(): Promise<void> {
    await new Promise(setImmediate);
    while (running.length > 0) await endOne();
  }
  return { start, endOne, endAll, order };
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

test('large images of many projects, one each, keep no small image of another project out of the full queue', async () => {
  const { start, endOne, endAll } = heldConversions();
  const projects = Array.from({ length: 25 }, (_, index) => `project ${index}`);
  const results: string[] = [];
  const loops = projects.map(async project => {
    for (let count = 0; count < 10; count++) results.push(await start(project));
  });
  await new Promise(setImmediate);
  for (let ended = 0; ended < projects.length; ended++) await endOne();
  for (let round = 0; round < 8; round++) {
    let isDone = false;
    const image = start('shop', 'ada', smallPng).finally(() => {
      isDone = true;
    });
    for (let ended = 0; ended < 3 && !isDone; ended++) await endOne();
    expect(isDone).toBe(true);
    expect(await image).toBe('converted');
  }
  await endAll();
  await Promise.all(loops);
  expect(results).toContain('busy');
});
