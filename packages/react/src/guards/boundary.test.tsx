import { RequestError } from '@tessera/client';
import { act, fireEvent, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useUser } from '../hooks/hooks.ts';
import { useReader } from '../hooks/reader.ts';
import { fakeApp, type SetReader, setReader } from '../test/fake-app.ts';
import { settle, show, violations } from '../test/show.tsx';
import { TesseraBoundary } from './boundary.tsx';

// React reports caught errors there, too.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const unreachable = () => new RequestError('unreachable', 'away');

function Value({ reader }: { reader: SetReader<string> }) {
  return <p>{useReader(reader)}</p>;
}

function Broken(): ReactNode {
  throw new Error('a bug');
}

function Greeting() {
  return <p>Hello, {useUser({ or: 'redirect' }).displayName}</p>;
}

/** The boundary of an app, above all of Tessera. */
class OwnBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <p>own: {(error as Error).message}</p>;
  }
}

test('a page that waits shows a spinner after a moment, and says when it takes long', async () => {
  const reader = setReader<string>();
  const { rerender, container } = await show(null);
  vi.useFakeTimers();
  rerender(
    <TesseraBoundary>
      <Value reader={reader} />
    </TesseraBoundary>,
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.queryByRole('img', { name: 'Loading' })).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(screen.getByRole('img', { name: 'Loading' })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(3700));
  expect(screen.getByRole('status').textContent).toBe('This is taking longer than usual.');
  vi.useRealTimers();
  expect(await violations(container)).toEqual([]);
  await act(async () => reader.set('loaded'));
  expect(screen.getByText('loaded')).toBeTruthy();
});

test('a read that failed shows the reason, and the retry reads again', async () => {
  const reader = setReader<string>();
  reader.fail(unreachable());
  const onError = vi.fn();
  await show(
    <OwnBoundary>
      <TesseraBoundary fullPage onError={onError}>
        <Value reader={reader} />
      </TesseraBoundary>
    </OwnBoundary>,
  );
  await settle();
  expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
  expect(onError).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await act(async () => reader.set('here'));
  await settle();
  expect(screen.getByText('here')).toBeTruthy();
});

test('an error of the own code of the app reaches the boundary above', async () => {
  const onError = vi.fn();
  await show(
    <OwnBoundary>
      <TesseraBoundary onError={onError}>
        <Broken />
      </TesseraBoundary>
    </OwnBoundary>,
  );
  expect(screen.getByText('own: a bug')).toBeTruthy();
  expect(onError).not.toHaveBeenCalled();
});

test('a redirect to sign-in that failed can be tried again', async () => {
  const fake = fakeApp();
  vi.mocked(fake.app.redirectToSignIn)
    .mockRejectedValueOnce(unreachable())
    .mockReturnValueOnce(new Promise(() => {}));
  await show(
    <TesseraBoundary>
      <Greeting />
    </TesseraBoundary>,
    { with: fake },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(fake.app.redirectToSignIn).toHaveBeenCalledTimes(2));
});
