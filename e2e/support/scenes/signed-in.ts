import type { Page } from 'playwright-core';
import { registerInBrowser } from '../pages.ts';
import { newPerson } from '../people.ts';
import type { Scene, Stage } from './scene.ts';

export const settings = '/handler/account-settings';
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Shows something to a new user, who is signed in. */
export function signedIn(then: (stage: Stage) => Promise<void>): Scene['show'] {
  return async stage => {
    await registerInBrowser(stage.server, stage.page, newPerson());
    await then(stage);
  };
}

/** Signs a new user in and opens the account settings. */
export async function openSettings({ page, server }: Stage, hash: string, title: string): Promise<void> {
  await registerInBrowser(server, page, newPerson());
  await page.goto(`${settings}${hash}`);
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
}

/** Opens a section of the account settings as a new user. */
export function at(hash: string, title: string, then?: (stage: Stage) => Promise<void>): Scene['show'] {
  return async stage => {
    await openSettings(stage, hash, title);
    await then?.(stage);
  };
}
