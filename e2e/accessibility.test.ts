import type { RunOptions } from 'axe-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { configure } from './support/project.ts';
import type { Scene } from './support/scene.ts';
import { scenes } from './support/scenes.ts';
import { emailScenes } from './support/scenes-emails.ts';
import { test } from './support/test.ts';

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

/** Without the rules about landmarks and headings of a page: an email is shown inside the page of a mail program. */
const wcag: RunOptions = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] } };

describe('control 108: axe finds no violation of WCAG in light and dark colours in', () => {
  test.for(emailScenes)('$name', async ({ show, switches }: Scene, { server, page }) => {
    await configure(server, switches);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await show({ page, server });
      expect(await violationsOf(page, wcag), colorScheme).toEqual([]);
    }
  });
});
