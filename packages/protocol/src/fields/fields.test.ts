import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  base64,
  displayName,
  email,
  millis,
  password,
  primaryEmail,
  profileImageUrl,
  projectId,
  strictEmail,
  totpSecret,
  url,
  userIdOrMe,
  uuid,
} from './fields.ts';

function accepts(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}

describe('ids', () => {
  test.each([
    ['00000000-0000-0000-0000-000000000000', true],
    ['3241a285-8329-1d69-8f3d-316e08cf140c', true],
    ['3241a285-8329-4d69-8f3d-316e08cf140c', true],
    ['3241A285-8329-5D69-BF3D-316E08CF140C', true],
    ['3241a285-8329-6d69-8f3d-316e08cf140c', false],
    ['3241a285-8329-7d69-8f3d-316e08cf140c', false],
    ['3241a285-8329-4d69-cf3d-316e08cf140c', false],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', false],
    ['3241a28583294d698f3d316e08cf140c', false],
    ['3241a285-8329-4d69-8f3d-316e08cf140c\n', false],
    ['', false],
  ])('%j is a UUID: %s', (value, expected) => {
    expect(accepts(uuid, value)).toBe(expected);
    expect(accepts(userIdOrMe, value)).toBe(expected);
    expect(accepts(projectId, value)).toBe(expected);
  });

  test('me is a user id in exactly this spelling', () => {
    expect(['me', 'Me', ' me', 'internal'].map(value => accepts(userIdOrMe, value))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('internal is a project id in exactly this spelling', () => {
    expect(['internal', 'INTERNAL', 'me'].map(value => accepts(projectId, value))).toEqual([true, false, false]);
  });
});

describe('email addresses', () => {
  test.each([
    // address, plain, stored, strict
    ['ada@example.com', true, true, true],
    ["o'hara+tag@sub.example.co.uk", true, true, true],
    ['a@localhost', true, true, false],
    ['a@gmail', true, true, false],
    ['a@gmail.c', true, true, false],
    ['.a@example.com', true, true, false],
    ['a.@example.com', true, true, false],
    ['a..b@example.com', true, true, false],
    ['', true, false, false],
    ['a', false, false, false],
    ['a@', false, false, false],
    ['@example.com', false, false, false],
    ['a@b@example.com', false, false, false],
    [' ada@example.com', false, false, false],
    ['ada@example.com ', false, false, false],
    ['ada@example.com\n', false, false, false],
    ['ada@-example.com', false, false, false],
    ['ada@example..com', false, false, false],
    ['ada@exämple.com', false, false, false],
    [`${'a'.repeat(400)}@example.com`, false, false, false],
  ])('%j is plain: %s, may be stored: %s, may open an account: %s', (address, plain, stored, strict) => {
    expect([email, primaryEmail, strictEmail].map(schema => accepts(schema, address))).toEqual([plain, stored, strict]);
  });
});

describe('URLs', () => {
  test.each([
    ['https://example.com/handler?a=1#b', true],
    ['myapp://callback', true],
    ['mailto:ada@example.com', true],
    ['data:image/png;base64,AAAA', true],
    ['', false],
    ['/handler', false],
    ['example.com', false],
    ['https://', false],
    ['https://example.com/a b', false],
    ['https://example.com/a\nb', false],
    [' https://example.com', false],
  ])('%j is a URL: %s', (value, expected) => {
    expect(accepts(url, value)).toBe(expected);
    expect(accepts(profileImageUrl, value)).toBe(expected);
  });

  test('an invalid URL with spaces violates both rules at once', () => {
    const messages = url.safeParse('not a url').error?.issues.map(issue => issue.message);
    expect(messages).toEqual(['is not a valid URL', 'contains spaces']);
  });

  test('a profile image URL has at most 1,000,000 characters', () => {
    const start = 'data:image/png;base64,';
    expect(accepts(profileImageUrl, start + 'A'.repeat(1_000_000 - start.length))).toBe(true);
    expect(accepts(profileImageUrl, start + 'A'.repeat(1_000_001 - start.length))).toBe(false);
    expect(accepts(profileImageUrl, null)).toBe(true);
  });
});

describe('other texts', () => {
  test('control 3: a password has at most 70 UTF-16 units; the minimum is not part of the schema', () => {
    expect(['', 'x'.repeat(70), 'x'.repeat(71)].map(value => accepts(password, value))).toEqual([true, true, false]);
    expect(['😀'.repeat(35), '😀'.repeat(36)].map(value => accepts(password, value))).toEqual([true, false]);
  });

  test('a display name may be empty', () => {
    expect(['', 'Ada', 'x'.repeat(10_000), 'x'.repeat(10_001)].map(value => accepts(displayName, value))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test.each([
    [8.64e15, true],
    [-8.64e15, true],
    [8.64e15 + 1, false],
    [-8.64e15 - 1, false],
    [0.5, false],
  ])('the time %d, which a date must be able to hold: %s', (value, expected) => {
    expect(accepts(millis, value)).toBe(expected);
  });

  test.each([
    ['', false],
    ['AAAA', true],
    ['AA==', true],
    ['AAA=', true],
    ['AAAAA', false],
    ['A===', false],
    ['AA=A', false],
    ['__--', false],
    ['AAAA\n', false],
  ])('%j is base64: %s', (value, expected) => {
    expect(accepts(base64, value)).toBe(expected);
  });

  test.each([9, 10, 11, 13, 20, 240, 241])('a TOTP secret of %i bytes is accepted from 10 to 240 bytes', bytes => {
    expect(accepts(totpSecret, Buffer.alloc(bytes, 7).toString('base64'))).toBe(bytes >= 10 && bytes <= 240);
  });

  test('a megabyte of base64 is validated without a stack overflow', () => {
    expect(accepts(base64, 'A'.repeat(1_048_576))).toBe(true);
    expect(accepts(base64, `${'A'.repeat(1_048_576)}!`)).toBe(false);
  });
});
