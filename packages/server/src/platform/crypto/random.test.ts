import { expect, test } from 'vitest';
import { randomRequestId, randomSecret } from './random.ts';

/** Crockford's base32, lower case. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

test('control 24: a secret has 45 characters of five random bits each', () => {
  const secrets = Array.from({ length: 500 }, randomSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-hjkmnp-tv-z]{45}$/);
  expect(new Set(secrets).size).toBe(500);
});

test('control 24: each position of a secret takes every value of the alphabet', () => {
  const secrets = Array.from({ length: 1_000 }, randomSecret);
  for (let place = 0; place < 45; place++) {
    const seen = new Set(secrets.map(secret => secret[place]));
    expect([...seen].sort().join('')).toBe(alphabet);
  }
});

test('a request id has 16 characters of the same alphabet', () => {
  const ids = Array.from({ length: 500 }, randomRequestId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  expect(new Set(ids).size).toBe(500);
});
