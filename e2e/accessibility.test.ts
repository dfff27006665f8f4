import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { configure } from './support/project.ts';
import type { Scene } from './support/scene.ts';
import { scenes } from './support/scenes.ts';
import { test } from './support/test.ts';

/** What axe may say about elements that match: advice that we have weighed, none of it a rule of WCAG. */
const accepted: Readonly<Record<string, RegExp>> = {
  // An open menu stands at the end of the document, outside of all landmarks, as menus do.
  region: /class="tessera-root tessera-portal"/,
  // The initials in the button are a picture, hidden from screen readers; its name says whose account it is.
  'label-content-name-mismatch': /aria-label="Account menu of /,
};

describe('control 108: axe finds nothing, in light and in dark colours, on', () => {
  test.for(scenes)('$name', async ({ show, isLoading = false, switches }: Scene, { server, page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await configure(server, switches);
    await show({ page, server });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await violationsOf(page);
      // A page gets its heading with its content.
      const found = violations.filter(({ rule }) => !(isLoading && rule === 'page-has-heading-one'));
      expect(found, colorScheme).toEqual([]);
    }
  });
});

interface Violation {
  readonly rule: string;
  readonly says: string;
  readonly element: string;
}

async function violationsOf(page: Page): Promise<Violation[]> {
  // Not as a script element: the page's policy would refuse it.
  await page.evaluate(axeCore.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof axeCore };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => ({ rule: id, says: help, element: html })),
    );
  });
  return found.filter(({ rule, element }) => !accepted[rule]?.test(element));
}
