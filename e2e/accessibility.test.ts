import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { configure } from './support/project.ts';
import type { Scene } from './support/scene.ts';
import { scenes } from './support/scenes.ts';
import { test } from './support/test.ts';

/** Axe findings that are accepted for matching elements: best practices, none of them a WCAG rule. */
const accepted: Readonly<Record<string, RegExp>> = {
  // An open menu is at the end of the document, outside all landmarks.
  region: /class="tessera-root tessera-portal"/,
  // The initials in the button are decorative. The button's name contains the account.
  'label-content-name-mismatch': /aria-label="Account menu of /,
};

describe('control 108: axe finds no violation in light and dark colours on', () => {
  test.for(scenes)('$name', async ({ show, isLoading = false, switches }: Scene, { server, page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await configure(server, switches);
    await show({ page, server });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await violationsOf(page);
      // The heading appears with the content.
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
  // Not as a script element: the page's policy refuses it.
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
