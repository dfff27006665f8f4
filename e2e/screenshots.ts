import { join } from 'node:path';
import { describe } from 'vitest';
import { configure } from './support/project.ts';
import { root } from './support/root.ts';
import type { Scene } from './support/scenes/scene.ts';
import { scenes } from './support/scenes/scenes.ts';
import { emailScenes } from './support/scenes/scenes-emails.ts';
import { test } from './support/test.ts';

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const folder = process.env.TESSERA_SCREENSHOTS ?? join(root, 'screenshots');

/** Window size and colour scheme of each picture. */
const looks = [
  { look: 'wide', size: wide, colorScheme: 'light' },
  { look: 'wide-dark', size: wide, colorScheme: 'dark' },
  { look: 'phone', size: phone, colorScheme: 'light' },
  { look: 'phone-dark', size: phone, colorScheme: 'dark' },
] as const;

describe.for(looks)('$look', ({ look, size, colorScheme }) => {
  test.for([...scenes, ...emailScenes])('$name', async ({ name, show, switches }: Scene, { server, page }) => {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await configure(server, switches);
    await show({ page, server });
    await page.screenshot({ path: join(folder, `${name}--${look}.png`), fullPage: true });
  });
});
