import type { SignInBlock } from '@tessera/client';
import { expect, test } from 'vitest';
import { describeBlocks } from './describe-blocks.ts';

const at = (minute: number) => new Date(2026, 0, 15, 14, minute);
const block = (from: string | null, minute = 5): SignInBlock => ({
  limit: from === null ? 'failedSignInsFromUnknownBlocks' : 'failedSignInsPerAccount',
  from,
  until: at(minute),
});

test('a user without a block has no notice', () => {
  expect(describeBlocks([])).toBeUndefined();
});

test.each([
  ['one network', [block('203.0.113.7')], /until 2:05\sPM \S+ after too many failed attempts from one network\./],
  [
    'two counters of one network',
    [block('203.0.113.7', 1), block('203.0.113.7')],
    /until 2:05\sPM .* from one network\./,
  ],
  ['two networks', [block('203.0.113.7', 9), block('server')], /until 2:09\sPM .* from 2 networks\./],
  ['all unknown networks', [block(null), block('server')], /from networks where the user has not signed in lately\./],
] as const)('a block of %s is described', (_, blocks, text) => {
  expect(describeBlocks(blocks)).toMatch(text);
});
