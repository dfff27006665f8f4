import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { audienceOf, everyone, firstAudience } from './audience.ts';

const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

beforeAll(() => {
  vi.stubEnv('TZ', 'America/New_York');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['all users', {}, { type: 'all' }],
  ['a team', { type: 'team', teamId: one }, { type: 'team', teamId: one }],
  ['no team', { type: 'team' }, undefined],
  ['ids in lines', { type: 'users', userIds: `${one}\n${two}\n${one}` }, { type: 'users', userIds: [one, two] }],
  ['a name among ids', { type: 'users', userIds: `${one} ada` }, undefined],
  ['no ids', { type: 'users', userIds: ' \n' }, undefined],
  ['a filter without a condition', { type: 'filter' }, undefined],
  ['verified users', { type: 'filter', verified: 'yes' }, { type: 'filter', isVerified: true }],
  [
    'users of a month of the clocks of the admin who are away',
    { type: 'filter', signedUpFrom: '2026-01-01', signedUpTo: '2026-02-01', activeTo: '2026-06-01' },
    {
      type: 'filter',
      signedUpFrom: new Date('2026-01-01T05:00:00Z'),
      signedUpTo: new Date('2026-02-01T05:00:00Z'),
      activeTo: new Date('2026-06-01T04:00:00Z'),
    },
  ],
  ['an impossible date', { type: 'filter', activeFrom: '2026-99-99' }, undefined],
] as const)('the audience of %s', (_, values, audience) => {
  expect(audienceOf({ ...everyone, ...values })).toEqual(audience);
});

test.each([
  ['no recipients', { selected: [] }, { type: 'all' }],
  ['selected users', { selected: [one, two] }, { type: 'users', userIds: [one, two] }],
  ['a user of the address', { user: two, selected: [one] }, { type: 'users', userIds: [two] }],
  ['a team', { team: one, selected: [] }, { type: 'team', teamId: one }],
])('a new message to %s begins with its audience', (_, recipients, audience) => {
  expect(audienceOf(firstAudience(recipients))).toEqual(audience);
});

test('more than 1,000 ids are refused', () => {
  const ids = Array.from({ length: 1_001 }, (_, index) => one.slice(0, -4) + String(index + 1000));
  expect(audienceOf({ ...everyone, type: 'users', userIds: ids.join('\n') })).toBeUndefined();
  expect(audienceOf({ ...everyone, type: 'users', userIds: ids.slice(1).join('\n') })).toBeDefined();
});
