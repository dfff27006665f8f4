import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TesseraBoundary } from '../guards/boundary.tsx';
import { settle, show } from '../test/show.tsx';
import { lazyPart } from './lazy-part.tsx';

// React reports caught errors there, too.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a part whose chunk could not be loaded shows the card of the boundary, whose button loads it again', async () => {
  const load = vi.fn(async () => () => <p>the part</p>);
  load.mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'));
  const Part = lazyPart(load, () => <p>empty</p>);
  const { rerender } = await show(null);

  vi.useFakeTimers();
  rerender(
    <TesseraBoundary>
      <Part />
    </TesseraBoundary>,
  );
  await act(() => vi.advanceTimersByTimeAsync(2499));
  expect(screen.getByText('empty')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(1));
  vi.useRealTimers();
  await settle();
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByRole('alert').textContent).toBe('Something went wrong. Try again.');

  load.mockResolvedValue(() => <p>the part</p>);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await settle();
  expect(screen.getByText('the part')).toBeTruthy();
});
