import { freePort } from './free-port.ts';
import { startProcess } from './node-process.ts';
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
  const { stop } = await startProcess('apps/demo/server.mjs', `${url}/`, {
    DEMO_PORT: String(port),
    TESSERA_DATA_DIR: server.dataDir,
  });
  return { url, stop };
}
