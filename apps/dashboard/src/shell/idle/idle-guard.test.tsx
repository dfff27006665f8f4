import { RequestError } from '@tessera/client';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Owner, OwnerProvider } from '../../data/owner.tsx';
import { IdleGuard } from './idle-guard.tsx';

const offline = new RequestError('offline', 'The page is offline.');
const undo: (() => void)[] = [];

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
});

afterEach(() => {
  act(() => {
    for (const unmount of undo.splice(0)) unmount();
  });
  window.localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function show(signOut: () => Promise<void>, children: ReactNode): HTMLElement {
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  const owner = { signOut } as Partial<Owner> as Owner;
  act(() => root.render(<OwnerProvider user={owner}>{children}</OwnerProvider>));
  undo.push(() => {
    root.unmount();
    element.remove();
  });
  return element;
}

const idleLimitMs = 30 * 60_000;

/** Fires the timers that are due, and renders. */
async function pass(timeMs: number) {
  await act(() => vi.advanceTimersByTimeAsync(timeMs));
  await act(() => vi.dynamicImportSettled());
}

test('an idle sign-out that fails is shown and repeated until it succeeds', async () => {
  const signOut = vi.fn(async () => {}).mockRejectedValueOnce(offline);
  const page = show(signOut, <IdleGuard />);
  // A computer that wakes up: its clock has moved, and its timers fire late.
  vi.setSystemTime(Date.now() + idleLimitMs);
  await pass(idleLimitMs);
  await pass(0);
  expect(signOut).toHaveBeenCalledOnce();
  expect(page.querySelector('[role=alert]')?.textContent).toContain('offline');

  await pass(60_000);
  await pass(60_000);
  expect(signOut).toHaveBeenCalledTimes(2);
});
