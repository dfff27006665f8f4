import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomSecret } from '../../platform/crypto/random.ts';
import { checksum, makeSecret, parseSecret } from './secret.ts';

const secret = '0123456789abcdefghjkmnpqrstvwxyz0123456789abc';
const id = '3241a285-8329-4d69-8f3d-316e08cf140c';
const hexId = '3241a28583294d698f3d316e08cf140c';

test('the checksum is the CRC-32 of zlib: the standard check value matches', () => {
  expect(checksum('123456789')).toBe('cbf43926');
});

test.each([
  ['', '00000000'],
  ['a', 'e8b7be43'],
  ['é', '0e048d3e'],
  ['key 288', '00664193'],
])('the checksum of %j is %s: over UTF-8, in eight hex digits', (text, expected) => {
  expect(checksum(text)).toBe(expected);
});

test.each([
  ['user', false, `sk_${secret}${hexId}user1574ck4u7h`],
  ['team', false, `sk_${secret}${hexId}team1574ck4u7h`],
  ['user', true, `pk_${secret}${hexId}user3574ck4u7h`],
  ['team', true, `pk_${secret}${hexId}team3574ck4u7h`],
] as const)('a key of a %s, public: %s', (kind, isPublic, beginning) => {
  const key = makeSecret({ secret, id, kind, isPublic });
  expect(key).toBe(beginning + checksum(beginning));
  expect(key).toHaveLength(102);
  expect(parseSecret(key)).toEqual({
    prefix: isPublic ? 'pk' : 'sk',
    secret,
    id,
    kind,
    isPublic,
    isFromCloud: false,
  });
});

describe('parseSecret', () => {
  const signed = (text: string) => text + checksum(text);
  const good = `sk_${secret}${hexId}user1574ck4u7h`;

  test.each([
    ['0', { isPublic: false, isFromCloud: true }],
    ['1', { isPublic: false, isFromCloud: false }],
    ['2', { isPublic: true, isFromCloud: true }],
    ['3', { isPublic: true, isFromCloud: false }],
    // The other bits are reserved.
    ['z', { isPublic: true, isFromCloud: false }],
    ['4', { isPublic: false, isFromCloud: true }],
  ])('the flag %s', (flag, expected) => {
    expect(parseSecret(signed(`sk_${secret}${hexId}user${flag}574ck4u7h`))).toMatchObject(expected);
  });

  test.each(['sk', 'pk', 'my_App_2', '_'])('the prefix %s ends at the last underscore', prefix => {
    expect(parseSecret(signed(`${prefix}_${secret}${hexId}team1574ck4u7h`))).toMatchObject({ prefix, kind: 'team' });
  });

  test.each([
    ['an empty text', ''],
    ['another checksum', `${good}00000000`],
    ['a checksum in upper case', good + checksum(good).toUpperCase().replaceAll(/\d/g, 'A')],
    ['one character too many', `${signed(good)}0`],
    ['a line break at the end', `${signed(good)}\n`],
    ['one character missing', signed(good).slice(1)],
    ['no prefix', signed(`_${secret}${hexId}user1574ck4u7h`)],
    ['a prefix with a dash', signed(`s-k_${secret}${hexId}user1574ck4u7h`)],
    ['another type', signed(`sk_${secret}${hexId}fork1574ck4u7h`)],
    ['another marker', signed(`sk_${secret}${hexId}user1474ck4u7h`)],
    ['a letter outside the alphabet', signed(`sk_${secret.replace('0', 'o')}${hexId}user1574ck4u7h`)],
    ['an id that is not hexadecimal', signed(`sk_${secret}${hexId.replace('3', 'g')}user1574ck4u7h`)],
  ])('%s is not parsed', (_, text) => {
    expect(parseSecret(text)).toBeUndefined();
  });

  test('every new key is parsed, and one changed character is detected', () => {
    const parts = fc.record({
      secret: fc.constant(null).map(() => randomSecret()),
      id: fc.uuid({ version: 4 }),
      kind: fc.constantFrom('user' as const, 'team' as const),
      isPublic: fc.boolean(),
    });
    fc.assert(
      fc.property(parts, fc.nat(101), fc.constantFrom(...'0123456789abcdef'), (made, place, character) => {
        const key = makeSecret(made);
        expect(parseSecret(key)).toEqual({ ...made, prefix: made.isPublic ? 'pk' : 'sk', isFromCloud: false });
        const changed = key.slice(0, place) + character + key.slice(place + 1);
        if (changed !== key) expect(parseSecret(changed)).toBeUndefined();
      }),
    );
  });
});
