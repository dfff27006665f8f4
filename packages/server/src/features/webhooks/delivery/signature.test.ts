import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { currentKey, makeSecret, rotateKeys, type SigningKey, signatureHeaders } from './signature.ts';

const nowMillis = Date.UTC(2026, 0, 15, 12);
const message = {
  id: 'msg_0123456789abcdef0123456789abcdef',
  body: '{"type":"user.created","data":{"name":"Ünïcode"}}',
};
const day = 24 * 3600 * 1000;

function newest(key: string): SigningKey {
  return { key, endsAtMillis: null };
}

describe('control 87: a webhook signature', () => {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: nowMillis });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  const secret = makeSecret();

  function verified(headers: Record<string, string>, body = message.body, key = secret): boolean {
    const outcomes = [
      () => new SvixWebhook(key).verify(body, headers),
      () => new StandardWebhook(key).verify(body, headers),
    ].map(verify => {
      try {
        verify();
        return true;
      } catch {
        return false;
      }
    });
    expect(outcomes[0]).toBe(outcomes[1]);
    return outcomes[0] === true;
  }

  test('is verified by the Svix and Standard Webhooks libraries', () => {
    const headers = signatureHeaders(message, [newest(secret)], nowMillis);
    expect(Object.keys(headers)).toEqual([
      'svix-id',
      'svix-timestamp',
      'svix-signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(verified(headers)).toBe(true);
  });

  test.each<[string, (headers: Record<string, string>) => [Record<string, string>, string?]]>([
    ['another body', headers => [headers, `${message.body} `]],
    ['another id', headers => [{ ...headers, 'svix-id': 'msg_other', 'webhook-id': 'msg_other' }]],
    ['another time', headers => [later(headers)]],
  ])('is invalid for %s', (_, change) => {
    const [headers, body] = change(signatureHeaders(message, [newest(secret)], nowMillis));
    expect(verified(headers, body)).toBe(false);
  });

  test('is invalid for another secret', () => {
    expect(verified(signatureHeaders(message, [newest(makeSecret())], nowMillis))).toBe(false);
  });

  test('is valid for five minutes', () => {
    const minute = 60_000;
    const ages = [-6, -4, 4, 6].map(minutes =>
      verified(signatureHeaders(message, [newest(secret)], nowMillis - minutes * minute)),
    );
    expect(ages).toEqual([false, true, true, false]);
  });

  test('is made with the old and the new secret for a day after a rotation', () => {
    const next = makeSecret();
    const keys = rotateKeys([newest(secret)], { key: next, overlapMs: day }, nowMillis - day + 1000);
    const headers = signatureHeaders(message, keys, nowMillis);
    expect(headers['svix-signature']?.split(' ')).toHaveLength(2);
    expect([verified(headers), verified(headers, message.body, next)]).toEqual([true, true]);
    const later = signatureHeaders(message, keys, nowMillis + 1000);
    expect([verified(later), verified(later, message.body, next)]).toEqual([false, true]);
  });
});

function later(headers: Record<string, string>): Record<string, string> {
  const timestamp = String(Number(headers['svix-timestamp']) + 1);
  return { ...headers, 'svix-timestamp': timestamp, 'webhook-timestamp': timestamp };
}

test('a webhook secret has 256 bits', () => {
  expect(makeSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(makeSecret()).not.toBe(makeSecret());
});

test.each<[string, SigningKey[], { key: string; overlapMs: number }, SigningKey[]]>([
  [
    'the first rotation',
    [newest('whsec_a')],
    { key: 'whsec_b', overlapMs: 50 },
    [newest('whsec_b'), { key: 'whsec_a', endsAtMillis: 150 }],
  ],
  [
    'a rotation during the overlap of another',
    [newest('whsec_b'), { key: 'whsec_a', endsAtMillis: 120 }],
    { key: 'whsec_c', overlapMs: 50 },
    [newest('whsec_c'), { key: 'whsec_b', endsAtMillis: 150 }, { key: 'whsec_a', endsAtMillis: 120 }],
  ],
  [
    'a rotation after the overlap',
    [newest('whsec_b'), { key: 'whsec_a', endsAtMillis: 100 }],
    { key: 'whsec_c', overlapMs: 50 },
    [newest('whsec_c'), { key: 'whsec_b', endsAtMillis: 150 }],
  ],
  ['a rotation without overlap', [newest('whsec_a')], { key: 'whsec_b', overlapMs: 0 }, [newest('whsec_b')]],
  ['a rotation to the same secret', [newest('whsec_a')], { key: 'whsec_a', overlapMs: 50 }, [newest('whsec_a')]],
])('the remaining keys after %s', (_, keys, next, expected) => {
  const rotated = rotateKeys(keys, next, 100);
  expect(rotated).toEqual(expected);
  expect(currentKey(rotated)).toBe(next.key);
});
