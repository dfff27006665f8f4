import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export interface ForeignApp {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves `foreign-page.ts`, with the unchanged SDK of the hosted service, as an app at its own address. */
export async function startForeignApp(settings: {
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly baseUrl: string;
}): Promise<ForeignApp> {
  const script = await bundleScript();
  const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>An app</title><link rel="icon" href="data:,"></head>
<body>
<script>window.foreignApp = ${JSON.stringify(settings)};</script>
<script type="module" src="/page.js"></script>
</body>
</html>`;
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? script : page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the system assigned no port');
  return {
    url: `http://localhost:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bundleScript(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'foreign-page.ts'),
    platform: 'browser',
    // The SDK reads the environment of Node.
    transform: { define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' } },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
