import type { Context } from '../../app/context.ts';
import { targetOf } from '../../navigation/navigation.ts';
import { returnParameter } from '../../navigation/urls.ts';

/** Goes to the page about the deletion of the account, if it is scheduled. @returns whether it went there */
export async function goToDeletionNotice(
  ctx: Context<'client'>,
  returnUrl: string | null | undefined,
): Promise<boolean> {
  const { config, navigation, platform } = ctx;
  const { page: browserPage } = platform;
  if (browserPage === undefined) return false;
  const here = new URL(browserPage.href());
  const notice = new URL(config.urls.accountDeletion, here);
  const back = returnUrl ?? targetOf('afterSignIn', config.urls, here);
  // The notice redirects by itself, and a sign-in that it asked for returns to it anyway.
  const isNotice = [here, new URL(back, here)].some(({ pathname }) => pathname === notice.pathname);
  if (isNotice || notice.origin !== here.origin || !(await isScheduled(ctx))) return false;
  notice.searchParams.set(returnParameter, back);
  await navigation.to(notice.pathname + notice.search, { replace: true });
  return true;
}

/** A sign-in must not fail because of the notice: without a response the redirect continues. */
async function isScheduled(ctx: Context<'client'>): Promise<boolean> {
  const session = await ctx.sessions.of();
  const request = ctx.call('GET /extensions/account-deletion', { session });
  return request.then(
    ({ scheduled }) => scheduled !== null,
    () => false,
  );
}
