import type { Context } from '../app/context.ts';
import { type HandlerUrls, returnParameter } from './urls.ts';

/**
 * The absolute URL of a page of the app, as a callback for emails and OAuth providers.
 *
 * @throws outside a browser; the error names the option to pass.
 */
export function callbackUrl(
  { config, platform }: Pick<Context, 'config' | 'platform'>,
  page: keyof HandlerUrls,
  option: string,
): string {
  if (!platform.page) throw new TypeError(`Outside a browser the option ${option} is required.`);
  return callbackUrlOf(config.urls[page], new URL(platform.page.href()));
}

export function callbackUrlOf(url: string, from: URL): string {
  const target = new URL(url, from);
  const remembered = from.searchParams.get(returnParameter);
  if (remembered !== null) target.searchParams.set(returnParameter, remembered);
  target.hash = '';
  return target.href;
}
