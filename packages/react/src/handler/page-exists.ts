import type { HandlerUrls } from '@tessera/client';
import { resolvePage } from './routes.ts';

/** Whether there is something at one of the app's URLs: a page of the handler, or an address of the customer's own. */
export function pageExists(page: keyof HandlerUrls, urls: HandlerUrls): boolean {
  const { href } = window.location;
  const { pathname, search } = new URL(urls[page], href);
  return resolvePage({ path: pathname, search, href }, urls).kind !== 'unknown';
}
