import { renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useLeaveGuard } from './use-leave-guard.ts';

afterEach(() => vi.unstubAllGlobals());

const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

function isRefused(navigation: EventTarget, navigationType: string, sameDocument: boolean): boolean {
  const event = Object.assign(new Event('navigate', { cancelable: true }), {
    navigationType,
    destination: { sameDocument },
  });
  return !navigation.dispatchEvent(event);
}

it('while a secret is not saved, leaving the page is asked for and Back within it is refused', () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const { rerender, unmount } = renderHook(({ isOn }) => useLeaveGuard(isOn), { initialProps: { isOn: true } });
  expect(isAsked()).toBe(true);
  expect(isRefused(navigation, 'traverse', true)).toBe(true);
  // The browser asks for this one, and an app may change its own URL.
  expect(isRefused(navigation, 'traverse', false)).toBe(false);
  expect(isRefused(navigation, 'replace', true)).toBe(false);

  rerender({ isOn: false });
  expect([isAsked(), isRefused(navigation, 'traverse', true)]).toEqual([false, false]);
  rerender({ isOn: true });
  unmount();
  expect([isAsked(), isRefused(navigation, 'traverse', true)]).toEqual([false, false]);
});

it('without the Navigation API leaving the page is asked for', () => {
  renderHook(() => useLeaveGuard(true));
  expect(isAsked()).toBe(true);
});
