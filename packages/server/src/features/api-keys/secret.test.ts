import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomSecret } from '../../platform/crypto/random.ts';
import { makeSecret } from './secret.ts';

const secret = '0123456789abcdefghjkmnpqrstvwxyz0123456789abc';
const id = '3241a285-8329-4d69-8f3d-316e08cf140c';
const hexId = '3241a28583294d698f3d316e08cf140c';

test.each([
  ['user', false, `sk_${secret}${hexId}user1574ck4u7h347553a0`],
  ['team', false, `sk_${secret}${hexId}team1574ck4u7h8390c0a3`],
  ['user', true, `pk_${secret}${hexId}user3574ck4u7h9cce28f3`],
  ['team', true, `pk_${secret}${hexId}team3574ck4u7h2b2bbbf0`],
] as const)('a key of a %s, public: %s', (kind, isPublic, key) => {
  expect(makeSecret({ secret, id, kind, isPublic })).toBe(key);
});

test('a checksum that begins with zeros has eight digits', () => {
  const made = makeSecret({ secret, id: '3241a285-8329-4d69-8f3d-316e08c00180', kind: 'user', isPublic: false });
  expect(made.slice(-8)).toBe('00e8c4f8');
});

/** docs/contract/api-keys.md#secret-format: prefix, secret, id, kind, flag, marker, checksum. */
const form = /^([sp]k)_([0-9a-hjkmnp-tv-z]{45})([0-9a-f]{32})(user|team)([13])574ck4u7h([0-9a-f]{8})$/;

test('every new key has the format of the contract, and ends with the CRC-32 of the characters before it', () => {
  const parts = fc.record({
    secret: fc.constant(null).map(() => randomSecret()),
    id: fc.uuid({ version: 4 }),
    kind: fc.constantFrom('user' as const, 'team' as const),
    isPublic: fc.boolean(),
  });
  fc.assert(
    fc.property(parts, made => {
      const [key = '', prefix, ...rest] = form.exec(makeSecret(made)) ?? [];
      const expected = [made.secret, made.id.replaceAll('-', ''), made.kind, made.isPublic ? '3' : '1'];
      expect([prefix, ...rest.slice(0, -1)]).toEqual([made.isPublic ? 'pk' : 'sk', ...expected]);
      expect(Number.parseInt(key.slice(-8), 16)).toBe(crc32(key.slice(0, -8)));
    }),
  );
});
