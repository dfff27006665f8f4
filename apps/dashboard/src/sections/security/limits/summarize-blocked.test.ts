import { expect, test } from 'vitest';
import { summarizeBlocked } from './summarize-blocked.ts';

test('refused requests are added up by limit, with their addresses, the most first', () => {
  const events = [
    { address: '192.0.2.1', details: { limit: 'signUpsPerAddress' } },
    { address: '192.0.2.1', details: { limit: 'failedSignInsPerAccount' } },
    { address: '192.0.2.1', details: { limit: 'failedSignInsPerAccount', count: 40 } },
    { address: '192.0.2.2', details: { limit: 'failedSignInsPerAccount', count: 2 } },
    { address: null, details: { limit: 'signUpsPerAddress' } },
  ];
  expect(summarizeBlocked(events)).toEqual([
    { limit: 'failedSignInsPerAccount', count: 43, addresses: 2 },
    { limit: 'signUpsPerAddress', count: 2, addresses: 1 },
  ]);
});
