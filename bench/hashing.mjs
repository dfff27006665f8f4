import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** The raw rate of password checks: as many at once as Tessera allows, with its parameters, and nothing else. */
const stored = await hash('a password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

process.on('message', async ({ seconds }) => {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    let count = 0;
    for (; performance.now() < endsAt; count++) await verify(stored, 'a password');
    return count;
  });
  const counts = await Promise.all(lanes);
  const count = counts.reduce((sum, one) => sum + one, 0);
  process.send({ rate: (count * 1000) / (performance.now() - startedAt) });
});
process.send({ port: 0 });
