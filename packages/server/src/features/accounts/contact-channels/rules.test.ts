import { describe, expect, test } from 'vitest';
import { applyChannelPatch, type ChannelPatch, ownership } from './rules.ts';

const channel = {
  id: 'a channel',
  userId: 'ada',
  value: 'ada@example.com',
  isPrimary: true,
  isVerified: true,
  usedForAuth: true,
};

describe('a channel after a change', () => {
  test.each<[ChannelPatch, Partial<typeof channel>]>([
    [{}, {}],
    [{ value: undefined, isPrimary: undefined, isVerified: undefined, usedForAuth: undefined }, {}],
    [{ isPrimary: false }, { isPrimary: false }],
    [{ usedForAuth: false }, { usedForAuth: false }],
    [{ isVerified: false }, { isVerified: false }],
    [{ value: 'other@example.com' }, { value: 'other@example.com', isVerified: false }],
    [{ value: 'ada@example.com' }, { isVerified: false }],
    [{ value: 'other@example.com', isVerified: true }, { value: 'other@example.com' }],
    [
      { value: 'other@example.com', isPrimary: false },
      { value: 'other@example.com', isPrimary: false, isVerified: false },
    ],
  ])('by %j', (patch, changed) => {
    expect(applyChannelPatch(channel, patch)).toEqual({ ...channel, ...changed });
  });
});

test.each([
  ['client', 'ada', 'ada', 'own'],
  ['client', 'ada', 'eve', 'foreign'],
  ['client', 'ada', undefined, 'foreign'],
  ['client', undefined, 'ada', 'noUser'],
  ['client', undefined, undefined, 'noUser'],
  ['server', 'ada', 'eve', 'own'],
  ['server', undefined, undefined, 'own'],
  ['admin', undefined, 'eve', 'own'],
] as const)('at level %s %s asks for the channels of %s: %s', (level, caller, userId, whose) => {
  expect(ownership(level, caller, userId)).toBe(whose);
});
