import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { pageRoot } from '../../test/page-root.ts';
import { PanelList } from './panel-list.tsx';

const read = vi.fn<() => Promise<string[]>>();
const root = pageRoot();
let cache = new QueryClient();

beforeEach(() => {
  cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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
  await vi.waitFor(() => expect(root.element().textContent).toBe('Backup'));
  const button = root.element().querySelector('button');

  read.mockRejectedValueOnce(new Error('broken'));
  await act(() => cache.invalidateQueries());
  await vi.waitFor(() => expect(cache.getQueryState(['keys'])?.status).toBe('error'));
  expect(root.element().querySelector('[role=alert]')).toBeNull();
  expect(button).not.toBeNull();
  expect(root.element().querySelector('li button')).toBe(button);
});

test('a failed first read is shown without items and without the sentence for an empty list', async () => {
  read.mockRejectedValueOnce(new Error('broken'));
  await show();
  await vi.waitFor(() => expect(root.element().querySelector('[role=alert]')).not.toBeNull());
  expect(root.element().textContent).not.toContain('No key.');
});
