import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** No test listens on this port: a free port may be taken by another test before it is used. */
export const closedPort = 2;

/** Below the ports that the system assigns to connections and to servers without a port. */
const [minPort, maxPort] = [10_000, 32_000];

/** Finds a free port that the system assigns to no other process. */
export async function freePort(): Promise<number> {
  const port = randomInt(minPort, maxPort);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
