import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideSignUp, normalizeSignUpEntry } from './sign-up-restrictions.ts';

test.each([
  ['example.com', 'example.com'],
  [' Example.COM ', 'example.com'],
  ['*.Example.com', '*.example.com'],
  ['*.edu', '*.edu'],
  ['Ada@Example.com', 'ada@example.com'],
  ['@example.com', 'example.com'],
  ['*@example.com', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.Bücher.example', '*.xn--bcher-kva.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['\u212Aelvin.example', 'kelvin.example'],
  // As long as an address of an account may be.
  [`${'a'.repeat(308)}@example.com`, `${'a'.repeat(308)}@example.com`],
  [`*.${'a'.repeat(63)}.example`, `*.${'a'.repeat(63)}.example`],
])('the entry %j is stored as %j', (text, stored) => {
  expect(normalizeSignUpEntry(text)).toBe(stored);
});

test.each([
  '',
  '@',
  '*',
  '*.',
  'com',
  'example.com.',
  'exa mple.com',
  'https://example.com',
  'example.com/path',
  'bücher.example/path',
  'bücher.example:80',
  'a@b@example.com',
  '*.ada@example.com',
  '*example.com',
  'example.*',
  'a.*.example.com',
  '.ada@example.com',
  'ada@example',
  '-a.example',
  'ü.xn--',
  // The Kelvin sign would be lower-cased to `k`, so to the address of another person.
  '\u212Aate@example.com',
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`,
  `${'a'.repeat(309)}@example.com`,
])('the text %j is not an entry', text => {
  expect(normalizeSignUpEntry(text)).toBeUndefined();
});

const decisions: [rule: string, address: string | null, allowed: string[], blocked: string[], isAllowed: boolean][] = [
  ['without entries every address may sign up', 'ada@a.example', [], [], true],
  ['an account without an address may sign up', null, [], ['b.example'], true],
  ['an account without an address is on no list of allowed ones', null, ['a.example'], [], false],
  ['an allowed domain', 'ada@a.example', ['a.example'], [], true],
  ['another domain than the allowed one', 'ada@b.example', ['a.example'], [], false],
  ['a domain covers no subdomain', 'ada@x.a.example', ['a.example'], [], false],
  ['a wildcard covers subdomains', 'ada@x.y.a.example', ['*.a.example'], [], true],
  ['a wildcard does not cover its domain', 'ada@a.example', ['*.a.example'], [], false],
  ['a wildcard does not cover a longer name', 'ada@xa.example', ['*.a.example'], [], false],
  ['a blocked domain', 'ada@a.example', [], ['a.example'], false],
  ['another domain than the blocked one', 'ada@b.example', [], ['a.example'], true],
  ['a domain on both lists is blocked', 'ada@a.example', ['a.example'], ['a.example'], false],
  ['a blocked subdomain of an allowed wildcard', 'ada@x.a.example', ['*.a.example'], ['x.a.example'], false],
  ['an allowed address of a blocked domain', 'ada@a.example', ['ada@a.example'], ['a.example'], true],
  ['another address of the blocked domain', 'eve@a.example', ['ada@a.example'], ['a.example'], false],
  ['a blocked address of an allowed domain', 'eve@a.example', ['a.example'], ['eve@a.example'], false],
  ['an address on both lists is blocked', 'ada@a.example', ['ada@a.example'], ['ada@a.example'], false],
];

test.each(decisions)('%s: %j, allowed %j, blocked %j: %j', (_, address, allowed, blocked, isAllowed) => {
  expect(decideSignUp(address, { allowed, blocked }).isAllowed).toBe(isAllowed);
});

const label = fc.constantFrom('a', 'b', 'xn--bcher-kva');
const domain = fc.array(label, { minLength: 1, maxLength: 3 }).map(labels => [...labels, 'example'].join('.'));
const address = fc.tuple(fc.constantFrom('ada', 'eve'), domain).map(([local, at]) => `${local}@${at}`);
const entry = fc.oneof(
  domain,
  address,
  domain.map(one => `*.${one}`),
);
const lists = fc.record({ allowed: fc.array(entry, { maxLength: 4 }), blocked: fc.array(entry, { maxLength: 4 }) });

/** The entries that cover an address, written as the contract says it, without the code of the rule. */
function covering(list: readonly string[], one: string) {
  const [, host = ''] = one.split('@');
  const parents = host.split('.').map((_, index, labels) => `*.${labels.slice(index + 1).join('.')}`);
  return { isNamed: list.includes(one), isOfDomain: [host, ...parents].some(name => list.includes(name)) };
}

test('of any lists, the most exact entry decides, and of equal ones the blocked one', () => {
  fc.assert(
    fc.property(address, lists, (one, { allowed, blocked }) => {
      const [ok, no] = [covering(allowed, one), covering(blocked, one)];
      const expected = no.isNamed ? false : ok.isNamed || (!no.isOfDomain && (ok.isOfDomain || allowed.length === 0));
      const { isAllowed, entry: decisive } = decideSignUp(one, { allowed, blocked });
      expect(isAllowed).toBe(expected);
      expect(decisive === undefined || (isAllowed ? allowed : blocked).includes(decisive)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a normalized entry is normalized to itself, is ASCII, and covers itself', () => {
  const text = fc.oneof(
    entry,
    fc.string({ unit: 'grapheme' }),
    fc.tuple(fc.string({ unit: 'grapheme' }), domain).map(parts => parts.join('@')),
  );
  fc.assert(
    fc.property(text, written => {
      const stored = normalizeSignUpEntry(written);
      if (stored === undefined) return;
      expect(normalizeSignUpEntry(stored)).toBe(stored);
      expect(stored).toMatch(/^[!-~]+$/);
      const covered = stored.startsWith('*.')
        ? `ada@x${stored.slice(1)}`
        : stored.includes('@')
          ? stored
          : `ada@${stored}`;
      expect(decideSignUp(covered, { allowed: [stored], blocked: [] })).toEqual({ isAllowed: true, entry: stored });
    }),
    { numRuns: 500 },
  );
});
