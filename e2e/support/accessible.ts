import type { RunOptions } from 'axe-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { configure } from './project.ts';
import type { Scene } from './scenes/scene.ts';
import { test } from './test.ts';

/** The rules whose result depends on the colour scheme. Structure, names and roles are the same in both. */
const ofColors: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Defines a test for each scene: axe finds no violation in light colours, and none of contrast in dark ones. */
export function testScenes(scenes: readonly Scene[]): void {
  test.for(scenes)('$name', async ({ show, isLoading = false, switches }: Scene, { server, page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await configure(server, switches);
    await show({ page, server });
    const found = await violationsOf(page);
    // The heading appears with the content.
    expect(found.filter(({ rule }) => !(isLoading && rule === 'page-has-heading-one'))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOf(page, ofColors), 'dark').toEqual([]);
  });
}
