import { until } from '@tessera/testing/until';
import { expect } from 'vitest';
import { register, signIn, signUp } from '../support/api.ts';
import { newPerson, type Person } from '../support/people.ts';
import { test } from '../support/test.ts';

const streams = 8;
const acknowledgedBeforeTheEnd = 40;

test('control 101: after `kill -9` during sign-ups every acknowledged account exists, and no incomplete ones', async ({
  server,
}) => {
  const acknowledged: Person[] = [];
  const unanswered: Person[] = [];
  const others: string[] = [];

  async function keepSigningUp(): Promise<void> {
    while (unanswered.length === 0) {
      const person = newPerson();
      const response = await signUp(server, person).catch(() => undefined);
      if (response === undefined) unanswered.push(person);
      else if (response.ok) acknowledged.push(person);
      else others.push(`${response.status} ${await response.text()}`);
    }
  }

  const running = Array.from({ length: streams }, keepSigningUp);
  await until('enough accounts', () => acknowledged.length >= acknowledgedBeforeTheEnd);
  await server.kill();
  await Promise.all(running);
  expect(others).toEqual([]);

  await server.start();
  const statuses = await Promise.all(acknowledged.map(async person => (await signIn(server, person)).status));
  expect(statuses).toEqual(acknowledged.map(() => 200));

  // Users without a response try again, by sign-up or sign-in.
  for (const person of unanswered) {
    const { status } = await signIn(server, person);
    if (status !== 200) await register(server, person);
  }
});

test('a server that was killed twice starts again', async ({ server }) => {
  const person = newPerson();
  await register(server, person);
  for (let count = 0; count < 2; count++) {
    await server.kill();
    await server.start();
  }
  expect((await signIn(server, person)).status).toBe(200);
});
