import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startHostApp } from '../support/host-apps/host-app.ts';
import { authForm } from '../support/pages.ts';
import { configure, everything } from '../support/project.ts';
import { test as base } from '../support/test.ts';

const test = base.extend('host', { scope: 'file' }, async ({ server }, { onCleanup }) => {
  await configure(server, everything);
  const { projectId, publishableClientKey } = server.keys;
  const host = await startHostApp({ projectId, publishableClientKey, baseUrl: server.url });
  onCleanup(host.stop);
  return host;
});

test.for(['bootstrap', 'bootstrap-after', 'tailwind', 'tailwind-after', 'rules-for-svg'])(
  'our pages look the same in a page with the stylesheet: %s',
  async (look, { host, page }) => {
    await page.goto(`${host.url}/plain`);
    await isThere(page);
    const plain = await looksOf(page, '#ours');
    expect(plain.length).toBeGreaterThan(60);

    await page.goto(`${host.url}/${look}`);
    await isThere(page);
    expect(differences(plain, await looksOf(page, '#ours'))).toEqual([]);
  },
);

test.for(['plain', 'bootstrap', 'bootstrap-after', 'tailwind', 'tailwind-after'])(
  'our stylesheet does not change a page with the stylesheet: %s',
  async (look, { host, page }) => {
    await page.goto(`${host.url}/${look}?alone`);
    const alone = await looksOf(page, '#theirs');

    await page.goto(`${host.url}/${look}`);
    await isThere(page);
    expect(differences(alone, await looksOf(page, '#theirs'))).toEqual([]);
  },
);

test('control 76: our pages and a theme work and keep their colours under a strict content security policy', async ({
  host,
  page,
}) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => seen.push(violatedDirective));
    new MutationObserver(() => {
      const button = document.querySelector('button[data-variant="primary"]:not([data-provider])');
      const color = button && getComputedStyle(button).backgroundColor;
      if (color && !seen.includes(color)) seen.push(color);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${host.url}/plain`);
  await isThere(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Choose a password.').waitFor();
  expect(await page.evaluate(() => Reflect.get(window, 'seen'))).toEqual(['rgb(122, 31, 92)']);
});

test('control 76: the demo allows only its own scripts and sends no referrer with codes', async ({ demo }) => {
  const headersOf = async (path: string) => (await fetch(demo.url + path)).headers;
  const page = await headersOf('/handler/password-reset?code=c');
  expect(page.get('referrer-policy')).toBe('no-referrer');
  expect(page.get('content-security-policy')).toMatch(
    /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  );
  expect(page.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.get('x-content-type-options')).toBe('nosniff');
  expect((await headersOf('/')).get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});

async function isThere(page: Page): Promise<void> {
  await authForm(page).signUp.waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

interface Look {
  readonly element: string;
  readonly looks: Readonly<Record<string, string>>;
}

/** The computed styles and the size of every element below. */
function looksOf(page: Page, selector: string): Promise<readonly Look[]> {
  return page.evaluate(place => {
    const properties = [
      ...['box-sizing', 'display', 'position', 'color', 'background-color', 'background-image', 'opacity'],
      ...['font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'letter-spacing', 'text-transform'],
      ...['text-align', 'text-decoration-line', 'text-decoration-color', 'list-style-type', 'vertical-align'],
      ...['padding', 'margin', 'border-width', 'border-style', 'border-color', 'border-radius', 'box-shadow'],
      ...['fill', 'stroke', 'appearance', 'width', 'height'],
    ];
    // Parts of an icon have no box, and a style element is invisible.
    return [...document.querySelectorAll(`${place} *:not(svg *, style)`)].map(element => {
      const style = getComputedStyle(element);
      const name = `${element.tagName.toLowerCase()} ${element.getAttribute('class') ?? ''}`;
      return { element: name, looks: Object.fromEntries(properties.map(one => [one, style.getPropertyValue(one)])) };
    });
  }, selector);
}

function differences(before: readonly Look[], after: readonly Look[]): readonly string[] {
  expect(after.map(({ element }) => element)).toEqual(before.map(({ element }) => element));
  return before.flatMap(({ element, looks }, index) =>
    Object.entries(looks).flatMap(([property, value]) => {
      const now = after[index]?.looks[property];
      return now === value ? [] : [`${element}: ${property} was ${value}, is ${now}`];
    }),
  );
}
