import { RequestError } from '@tessera/client';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useReader } from '../hooks/reader.ts';
import { type SetReader, setReader } from '../test/fake-app.ts';
import { settle, show, violations } from '../test/show.tsx';
import { TesseraErrorBoundary } from './error-boundary.tsx';

// React reports caught errors there, too.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

function Value({ reader }: { reader: SetReader<string> }) {
  return <p>{useReader(reader)}</p>;
}

function failing() {
  const reader = setReader<string>();
  const error = new RequestError('unreachable', 'away');
  reader.fail(error);
  return { reader, error };
}

test('the default fallback explains a failed read, and its button reads again', async () => {
  const { reader } = failing();
  const { container } = await show(
    <TesseraErrorBoundary>
      <Value reader={reader} />
    </TesseraErrorBoundary>,
  );
  await settle();
  expect(await violations(container)).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await settle();
  await act(async () => reader.set('here'));
  await settle();
  expect(screen.getByText('here')).toBeTruthy();
});

test('a fallback function receives the error and refetch', async () => {
  const { reader, error } = failing();
  const seen = vi.fn();
  await show(
    <TesseraErrorBoundary
      fallback={({ error, refetch }) => {
        seen(error);
        return (
          <button type="button" onClick={refetch}>
            again
          </button>
        );
      }}
    >
      <Value reader={reader} />
    </TesseraErrorBoundary>,
  );
  expect(seen).toHaveBeenCalledWith(error);
  fireEvent.click(screen.getByRole('button', { name: 'again' }));
  await act(async () => reader.set('here'));
  await settle();
  expect(screen.getByText('here')).toBeTruthy();
});

test('an error that fails again is shown again, and onError receives each', async () => {
  const { reader } = failing();
  const onError = vi.fn();
  await show(
    <TesseraErrorBoundary
      onError={onError}
      fallback={({ refetch }) => (
        <button type="button" onClick={refetch}>
          again
        </button>
      )}
    >
      <Value reader={reader} />
    </TesseraErrorBoundary>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'again' }));
  await act(async () => reader.fail(new Error('still away')));
  await settle();
  expect(screen.getByRole('button', { name: 'again' })).toBeTruthy();
  expect(onError).toHaveBeenCalledTimes(2);
});
