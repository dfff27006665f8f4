import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useSession } from '../hooks/session-hook.ts';
import { fakeApp, user } from '../test/fake-app.ts';
import { settle, show } from '../test/show.tsx';
import { Protect, SignedIn, SignedOut } from './guards.tsx';

afterEach(cleanup);

const states = (
  <>
    <SignedIn>inside</SignedIn>
    <SignedOut>outside</SignedOut>
  </>
);

test('SignedIn and SignedOut follow the session', async () => {
  const fake = fakeApp();
  fake.readers.user.set(null);
  const { container } = await show(states, { with: fake });
  expect(container.textContent).toBe('outside');
  await act(async () => fake.readers.user.set(user()));
  expect(container.textContent).toBe('inside');
});

/** A user whose permission in a team, or in the project, a test sets. */
function withPermission(granted: { readonly id: string } | null) {
  const usePermission = vi.fn(() => granted);
  const fake = fakeApp();
  fake.readers.user.set(user({ usePermission } as object));
  return { fake, usePermission };
}

const invoices = (props: object) => (
  <Protect fallback="Ask an owner." {...props}>
    invoices
  </Protect>
);

test.each<[string, object, { readonly id: string } | null, string]>([
  ['without a permission', {}, null, 'invoices'],
  ['with a permission of the project', { permission: 'read' }, { id: 'read' }, 'invoices'],
  ['with a permission of a team', { permission: 'read', team: { id: 't' } }, { id: 'read' }, 'invoices'],
  ['that the user does not have', { permission: 'read' }, null, 'Ask an owner.'],
])('Protect %s', async (_, props, granted, text) => {
  const { fake } = withPermission(granted);
  const { container } = await show(invoices(props), { with: fake });
  expect(container.textContent).toBe(text);
});

test('Protect asks for the permission in its team', async () => {
  const { fake, usePermission } = withPermission({ id: 'read' });
  await show(invoices({ permission: 'read', team: { id: 't' } }), { with: fake });
  expect(usePermission).toHaveBeenCalledWith({ id: 't' }, 'read');
});

test('Protect shows its fallback to a visitor', async () => {
  const fake = fakeApp();
  fake.readers.user.set(null);
  const { container } = await show(invoices({}), { with: fake });
  expect(container.textContent).toBe('Ask an owner.');
});

let token: string | null | undefined;

function Token() {
  const session = useSession();
  const read = async () => {
    token = session.status === 'signed-in' ? await session.getToken() : undefined;
  };
  return (
    <button type="button" onClick={read}>
      {session.status}
    </button>
  );
}

test('useSession has a token of the signed-in user', async () => {
  const fake = fakeApp();
  fake.readers.user.set(user());
  await show(<Token />, { with: fake });
  fireEvent.click(screen.getByRole('button', { name: 'signed-in' }));
  await settle();
  expect(token).toBe('a');
  await act(async () => fake.readers.user.set(null));
  expect(screen.getByRole('button', { name: 'signed-out' })).toBeTruthy();
});

const begin = vi.fn();

function Effect() {
  const session = useSession();
  useEffect(() => begin(session), [session]);
  return null;
}

test('useSession returns the same session as long as the user stays the same', async () => {
  const fake = fakeApp();
  fake.readers.user.set(user());
  const { rerender } = await show(<Effect />, { with: fake });
  rerender(<Effect />);
  expect(begin).toHaveBeenCalledOnce();
  await act(async () => fake.readers.user.set(null));
  expect(begin).toHaveBeenLastCalledWith({ status: 'signed-out' });
});
