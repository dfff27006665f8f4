import axeCore, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Axe findings that are accepted for matching elements: best practices, none of them a WCAG rule. */
const accepted: Readonly<Record<string, RegExp>> = {
  // An open menu is at the end of the document, outside all landmarks.
  region: /class="tessera-root tessera-portal"/,
  // The initials in the button are decorative. The button's name contains the account.
  'label-content-name-mismatch': /aria-label="Account menu of /,
};

interface Violation {
  readonly rule: string;
  readonly says: string;
  readonly element: string;
}

/** What axe finds on a page, without what is accepted. */
export async function violationsOf(page: Page, options: RunOptions = {}): Promise<Violation[]> {
  // Not as a script element: the page's policy refuses it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source);
  const found = await page.evaluate(async given => {
    const { axe } = globalThis as unknown as { axe: typeof axeCore };
    // The only frame is the preview of emails. Axe is not in it, and emails have checks of their own.
    const { violations } = await axe.run({ iframes: false, ...given });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => ({ rule: id, says: help, element: html })),
    );
  }, options);
  return found.filter(({ rule, element }) => !accepted[rule]?.test(element));
}
