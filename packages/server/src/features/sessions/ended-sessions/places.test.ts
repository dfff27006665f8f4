import { endedSessionStreamsMax } from '@tessera/protocol';
import { expect, test } from 'vitest';
import { createStreamPlaces } from './places.ts';

/** A process with few places; the owner of the project `ada/shop` is `ada`. */
function openPlaces(maxPlaces: number) {
  const reads: (readonly string[])[] = [];
  const places = createStreamPlaces({
    findOwners: async projectIds => {
      reads.push(projectIds);
      return new Map(projectIds.map(projectId => [projectId, projectId.split('/')[0] ?? '']));
    },
    maxPlaces,
  });
  const ended: string[] = [];
  const open = async (projectId: string) => {
    const place = { projectId, end: () => ended.push(projectId) };
    return { place, isOpen: await places.take(place) };
  };
  return { places, reads, ended, open };
}

test('an owner with many projects loses places of a full process to other owners, up to the same share', async () => {
  const { open, ended } = openPlaces(4);
  for (const projectId of ['ada/a', 'ada/b', 'ada/c', 'ada/d']) expect((await open(projectId)).isOpen).toBe(true);
  expect((await open('ada/e')).isOpen).toBe(false);
  expect([(await open('bob/a')).isOpen, (await open('bob/b')).isOpen, (await open('bob/c')).isOpen]).toEqual([
    true,
    true,
    false,
  ]);
  expect(ended).toEqual(['ada/d', 'ada/c']);
});

test('a released place is free again', async () => {
  const { places, open, ended } = openPlaces(1);
  const { place } = await open('ada/a');
  expect((await open('bob/a')).isOpen).toBe(false);
  places.release(place);
  expect((await open('bob/a')).isOpen).toBe(true);
  expect(ended).toEqual([]);
});

test('a project keeps its own limit while the process has places', async () => {
  const { open } = openPlaces(2 * endedSessionStreamsMax);
  const opened = await Promise.all(Array.from({ length: endedSessionStreamsMax + 1 }, () => open('ada/a')));
  expect(opened.filter(({ isOpen }) => isOpen)).toHaveLength(endedSessionStreamsMax);
});

test('owners are read only while the process is full', async () => {
  const { open, reads } = openPlaces(2);
  await Promise.all(['ada/a', 'bob/a'].map(open));
  expect(reads).toEqual([]);
  await open('eve/a');
  expect(reads).toEqual([['eve/a', 'ada/a', 'bob/a']]);
});
