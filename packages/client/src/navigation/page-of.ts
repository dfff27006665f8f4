import type { Context } from '../app/context.ts';
import type { Page } from '../platform/platform.ts';

/** The page that the SDK runs in. @throws outside a browser. */
export function pageOf({ platform }: Pick<Context, 'platform'>, what: string): Page {
  if (!platform.page) throw new Error(`${what} needs a browser; this is a server.`);
  return platform.page;
}
