import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The server of an app that is not ours. */
export interface PageServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers requests on a free port of this machine. */
export async function startPageServer(answer: RequestListener): Promise<PageServer> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Bundles the script of a page, whose source is beside this file. `define` replaces expressions in it. */
export async function bundleScript(source: string, define: Readonly<Record<string, string>> = {}): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, source),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"', ...define } },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
