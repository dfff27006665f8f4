import { bundleScript, type PageServer, startPageServer } from './page-server.ts';

/** Serves `foreign-page.ts`, with the unchanged SDK of the hosted service, as an app at its own address. */
export async function startForeignApp(settings: {
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly baseUrl: string;
}): Promise<PageServer> {
  // The SDK reads the environment of Node.
  const script = await bundleScript('foreign-page.ts', { 'process.env': '{}' });
  const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>An app</title><link rel="icon" href="data:,"></head>
<body>
<script>window.foreignApp = ${JSON.stringify(settings)};</script>
<script type="module" src="/page.js"></script>
</body>
</html>`;
  return startPageServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? script : page);
  });
}
