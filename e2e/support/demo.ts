import { join } from 'node:path';
import { freePort } from '@tessera/testing/free-port';
import { answers, startNodeProcess } from '@tessera/testing/node-process';
import { root } from './root.ts';
import type { TesseraServer } from './tessera-server.ts';

/** The demo app, in its own process. */
export interface Demo {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the demo against a server. */
export async function startDemo(server: Pick<TesseraServer, 'dataDir'>): Promise<Demo> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { stop } = await startNodeProcess({
    script: join(root, 'apps/demo/server.mjs'),
    nodeOptions: ['--enable-source-maps'],
    env: { DEMO_PORT: String(port), TESSERA_DATA_DIR: server.dataDir },
    isReady: () => answers(`${url}/`),
  });
  return { url, stop };
}
