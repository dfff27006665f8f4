import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PanelList } from './panel-list.tsx';

const read = vi.fn<() => Promise<string[]>>();
let element = document.createElement('div');
let root = createRoot(element);
let cache = new QueryClient();

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  element = document.createElement('div');
  root = createRoot(element);
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

function Keys() {
  const query = useQuery({ queryKey: ['keys'], queryFn: read });
  return (
    <PanelList query={query} itemKey={key => key} empty="No key.">
      {key => <button type="button">{key}</button>}
    </PanelList>
  );
}

async function show() {
  await act(async () =>
    root.render(
      <QueryClientProvider client={cache}>
        <Keys />
      </QueryClientProvider>,
    ),
  );
}

test('a failed second read leaves the items, which stay mounted, without a message of their own', async () => {
  read.mockResolvedValueOnce(['Backup']);
  await show();
  await vi.waitFor(() => expect(element.textContent).toBe('Backup'));
  const button = element.querySelector('button');

  read.mockRejectedValueOnce(new Error('broken'));
  await act(() => cache.invalidateQueries());
  await vi.waitFor(() => expect(cache.getQueryState(['keys'])?.status).toBe('error'));
  expect(element.querySelector('[role=alert]')).toBeNull();
  expect(button).not.toBeNull();
  expect(element.querySelector('li button')).toBe(button);
});

test('a failed first read is shown without items and without the sentence for an empty list', async () => {
  read.mockRejectedValueOnce(new Error('broken'));
  await show();
  await vi.waitFor(() => expect(element.querySelector('[role=alert]')).not.toBeNull());
  expect(element.textContent).not.toContain('No key.');
});
