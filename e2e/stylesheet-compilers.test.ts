import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform as transformByEsbuild } from 'esbuild';
import { transform as transformByLightning } from 'lightningcss';
import { expect } from 'vitest';
import { root } from './support/root.ts';
import { test } from './support/test.ts';

type Compiler = (css: string) => string | Promise<string>;

/** With the oldest browsers that a compiler serves, because a compiler rewrites what these do not know. */
const compilers: Readonly<Record<string, Compiler>> = {
  'no compiler': css => css,
  'Lightning CSS, as Next.js sets it': css => byLightning(css, { chrome: 111 << 16, safari: (16 << 16) | (4 << 8) }),
  'Lightning CSS for browsers of 2021': css => byLightning(css, { chrome: 88 << 16, safari: 14 << 16 }),
  'esbuild for browsers of 2021': async css =>
    (await transformByEsbuild(css, { loader: 'css', minify: true, target: ['chrome88', 'safari14'] })).code,
};

const light = {
  page: 'rgb(245, 246, 248)',
  card: 'rgb(255, 255, 255)',
  button: 'rgb(35, 64, 160)',
  text: 'rgb(255, 255, 255)',
};
const dark = {
  page: 'rgb(12, 14, 19)',
  card: 'rgb(20, 23, 30)',
  button: 'rgb(149, 169, 252)',
  text: 'rgb(11, 17, 48)',
};

test.for(Object.entries(compilers))(
  'the colours of our stylesheet survive, for light and dark: %s',
  async ([, compile], { browser }) => {
    const css = await compile(await readFile(join(root, 'packages/react/dist/styles.css'), 'utf8'));
    const page = await browser.newPage();
    const show = (html: string, scheme = '') =>
      page.setContent(`<!doctype html><html ${html}><style>${css}</style>
        <div class="tessera-root tessera-page" ${scheme}><section class="tss:bg-card">
        <button class="tessera-button tss:bg-primary tss:text-primary-foreground">Sign in</button></section></div>`);
    const colors = () =>
      page.evaluate(() => {
        const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
        return {
          page: style('.tessera-root').backgroundColor,
          card: style('section').backgroundColor,
          button: style('button').backgroundColor,
          text: style('button').color,
        };
      });

    await show('');
    expect(await colors()).toEqual(light);
    await show('', 'data-tessera-scheme="dark"');
    expect(await colors()).toEqual(dark);
    await show('data-theme="dark"');
    expect(await colors()).toEqual(dark);

    await page.emulateMedia({ colorScheme: 'dark' });
    await show('');
    expect(await colors()).toEqual(dark);
    await show('class="light"');
    expect(await colors()).toEqual(light);
    await page.close();
  },
);

function byLightning(css: string, targets: Record<string, number>): string {
  const options = { filename: 'styles.css', code: Buffer.from(css), minify: true, targets };
  return transformByLightning(options).code.toString();
}
