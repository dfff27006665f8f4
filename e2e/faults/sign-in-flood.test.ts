import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { register, signIn } from '../support/api.ts';
import { newPerson } from '../support/people.ts';
import { test } from '../support/test.ts';

const waiting = 64;
const tooMany = 600;

test('control 9: the health check answers during 64 concurrent sign-ins', async ({ server }) => {
  const person = newPerson();
  await register(server, person);
  let inFlight = waiting;
  const signIns = Array.from({ length: waiting }, async () => {
    const { status } = await signIn(server, person);
    inFlight--;
    return status;
  });

  const inFlightAtAnswers: number[] = [];
  while (inFlight > 0) {
    const response = await fetch(`${server.url}/health`);
    expect(response.status).toBe(200);
    inFlightAtAnswers.push(inFlight);
    await sleep(1);
  }
  // 429: a job waits for ten seconds at most, and a busy machine may need longer for this many.
  for (const status of await Promise.all(signIns)) expect([200, 429]).toContain(status);
  expect(inFlightAtAnswers.filter(count => count > 0).length).toBeGreaterThan(5);
});

test('control 9: sign-ins beyond the queue limit get 429 with Retry-After, the others succeed', async ({ server }) => {
  const person = newPerson();
  await register(server, person);
  const answers = new Set<string>();
  // Each is repeated until there are both answers: on a slow machine the first round may be hashed while it is sent.
  await Promise.all(
    Array.from({ length: tooMany }, async () => {
      while (answers.size < 2) {
        const response = await signIn(server, person);
        await response.arrayBuffer();
        answers.add(`${response.status} ${response.headers.get('retry-after')}`);
      }
    }),
  );
  expect([...answers].sort()).toEqual(['200 null', '429 1']);
  expect((await signIn(server, person)).status).toBe(200);
});
