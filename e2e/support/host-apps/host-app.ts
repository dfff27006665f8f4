import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../root.ts';
import { bundleScript, type PageServer, startPageServer } from './page-server.ts';

const require = createRequire(import.meta.url);
const read = (name: string) => readFile(require.resolve(name), 'utf8');

/** Stylesheets of customers, before ours and after it. */
const looks: Readonly<Record<string, (styles: Styles) => string>> = {
  plain: ({ ours }) => ours,
  bootstrap: ({ ours, bootstrap }) => bootstrap + ours,
  'bootstrap-after': ({ ours, bootstrap }) => ours + bootstrap,
  tailwind: ({ ours, preflight }) => style(`@layer base { ${preflight} }`) + ours,
  'tailwind-after': ({ ours, preflight }) => ours + style(preflight),
  'rules-for-svg': ({ ours }) => ours + style('svg { width: 3em; height: 3em; fill: red }'),
};

interface Styles {
  readonly ours: string;
  readonly bootstrap: string;
  readonly preflight: string;
}

const nonce = randomBytes(18).toString('base64');
const style = (css: string) => `<style nonce="${nonce}">${css}</style>`;

/**
 * Serves `host-page.tsx` as the page of a customer: `/{look}` with our stylesheet, `/{look}?alone` without it and without our
 * pages. It allows only scripts and styles with its nonce.
 */
export async function startHostApp(settings: {
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly baseUrl: string;
}): Promise<PageServer> {
  const script = await bundleScript('host-page.tsx');
  const bootstrap = style(await read('bootstrap/dist/css/bootstrap.css'));
  // Tailwind's build inserts the theme's values. These are their fallbacks.
  const preflight = (await read('tailwindcss/preflight.css')).replace(/--theme\(\s*--[\w-]+,\s*([^;]*?)\s*\);/g, '$1;');
  const ours = style(await readFile(join(root, 'packages/react/dist/styles.css'), 'utf8'));

  return startPageServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const look = looks[pathname.slice(1)];
    const isScript = pathname === '/page.js';
    if (!isScript && look === undefined) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-security-policy': policy(settings.baseUrl),
    });
    if (look === undefined) return response.end(script);
    const isAlone = searchParams.has('alone');
    const styles = look({ ours: isAlone ? '' : ours, bootstrap, preflight });
    return response.end(page(styles, isAlone ? '' : scripts(settings)));
  });
}

/** The strictest content security policy. */
function policy(api: string): string {
  const marked = `'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${marked}`,
    `style-src ${marked}`,
    `connect-src ${api}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function scripts(settings: object): string {
  const values = JSON.stringify({ ...settings, nonce });
  return `<script nonce="${nonce}">window.hostPage = ${values};</script><script nonce="${nonce}" type="module" src="/page.js"></script>`;
}

function page(styles: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>A customer's page</title><link rel="icon" href="data:,">${styles}${style('.narrow { width: 500px }')}</head>
<body>
<div id="ours" class="narrow"></div>
<main id="theirs" class="narrow">
  <h1>Heading</h1><h2>Heading</h2><h3>Heading</h3><h4>Heading</h4><h5>Heading</h5><h6>Heading</h6>
  <p>Text with <a href="#">a link</a>, <strong>weight</strong>, <em>stress</em>, <code>code</code>, <small>small</small>.</p>
  <ul><li>One</li></ul><ol><li>One</li></ol><dl><dt>Name</dt><dd>Value</dd></dl>
  <blockquote>Said</blockquote><pre>Typed</pre><hr><figure><figcaption>Shown</figcaption></figure>
  <form><fieldset><legend>Legend</legend>
    <label for="t">Label</label><input id="t"><input type="search"><input type="checkbox"><input type="radio">
    <textarea></textarea><select><option>One</option></select><button type="button">Button</button><progress></progress>
  </fieldset></form>
  <table><caption>Table</caption><thead><tr><th>Head</th></tr></thead><tbody><tr><td>Cell</td></tr></tbody></table>
  <button class="btn btn-primary">Button</button><div class="card"><div class="card-body">Card</div></div>
  <input class="form-control"><span class="badge text-bg-primary">Badge</span><div class="row"><div class="col">One</div></div>
  <details><summary>More</summary>Text</details><svg width="10" height="10"><path d="M0 0h10v10z"/></svg>
</main>
${script}
</body>
</html>`;
}
