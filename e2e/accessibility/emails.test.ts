import type { RunOptions } from 'axe-core';
import { describe, expect } from 'vitest';
import { testScenes } from '../support/accessible.ts';
import { violationsOf } from '../support/axe.ts';
import { configure } from '../support/project.ts';
import type { Scene } from '../support/scenes/scene.ts';
import { emailScenes, mailPageScenes } from '../support/scenes/scenes-emails.ts';
import { test } from '../support/test.ts';

describe('control 108: axe finds no violation in light and dark colours in the pages about emails', () =>
  testScenes(mailPageScenes));

/** Without the rules about landmarks and headings of a page: an email is shown inside the page of a mail program. */
const wcag: RunOptions = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] } };

describe('control 108: axe finds no violation of WCAG in light and dark colours in the emails', () => {
  test.for(emailScenes)('$name', async ({ show, switches }: Scene, { server, page }) => {
    await configure(server, switches);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await show({ page, server });
      expect(await violationsOf(page, wcag), colorScheme).toEqual([]);
    }
  });
});
