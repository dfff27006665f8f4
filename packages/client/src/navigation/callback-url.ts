import type { Context } from '../app/context.ts';
import { returnParameter } from './navigation.ts';
import type { HandlerUrls } from './urls.ts';

/**
 * The absolute address of a page of the app, for the server's mails and providers to come back to.
 *
 * @throws outside a browser, asking for the option.
 */
export function callbackUrl(
  { config, platform }: Pick<Context, 'config' | 'platform'>,
  page: keyof HandlerUrls,
  option: string,
): string {
  if (!platform.page) throw new TypeError(`Outside a browser the option ${option} is needed.`);
  return callbackUrlOf(config.urls[page], new URL(platform.page.href()));
}

export function callbackUrlOf(url: string, from: URL): string {
  const target = new URL(url, from);
  const remembered = from.searchParams.get(returnParameter);
  if (remembered !== null) target.searchParams.set(returnParameter, remembered);
  target.hash = '';
  return target.href;
}
