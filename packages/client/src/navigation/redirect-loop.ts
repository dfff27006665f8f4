import type { Page } from '../platform/platform.ts';

/** More automatic redirects within this time are a loop. */
const bouncesAllowed = 2;
const bounceWindowMs = 10_000;
const bouncesKey = 'tessera-bounces';

/**
 * Records an automatic redirect to the sign-in page. Returns its target, or in a loop the error page with the reason.
 */
export function loopAddress(page: Page, errorPage: string, now: number): string | undefined {
  if (!isLoop(page, now)) return undefined;
  const target = new URL(errorPage, page.href());
  target.searchParams.set('errorCode', 'REDIRECT_LOOP');
  target.searchParams.set(
    'message',
    'This page and the sign-in page keep sending you to each other. Please close this tab and try again.',
  );
  return target.pathname + target.search;
}

function isLoop({ tabStorage }: Page, now: number): boolean {
  try {
    const earlier = (tabStorage.getItem(bouncesKey) ?? '').split(' ').map(Number);
    const recent = earlier.filter(time => time > now - bounceWindowMs && time <= now);
    tabStorage.setItem(bouncesKey, [...recent, now].join(' '));
    return recent.length >= bouncesAllowed;
  } catch {
    // The user blocked storage.
    return false;
  }
}
