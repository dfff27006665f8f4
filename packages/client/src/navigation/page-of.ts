import type { Context } from '../app/context.ts';
import type { Page } from '../platform/platform.ts';

/** The page of a browser. @throws outside a browser. */
export function pageOf({ platform }: Pick<Context, 'platform'>, what: string): Page {
  if (!platform.page) throw new Error(`${what} requires a browser.`);
  return platform.page;
}
