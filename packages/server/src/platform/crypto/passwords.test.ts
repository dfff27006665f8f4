import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { describe, expect, test } from 'vitest';
import { createPasswords, HashingBusy } from './passwords.ts';

const passwords = createPasswords({ slots: 2 });
const composed = 'pâté-Å-Ã';
const decomposed = composed.normalize('NFD');

describe('control 8: a stored password', () => {
  test('is a salted argon2id hash that includes its parameters', async () => {
    const [one, other] = await Promise.all([
      passwords.hash('correct horse', 'shop'),
      passwords.hash('correct horse', 'shop'),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
  });

  test('matches only its own password', async () => {
    const stored = await passwords.hash('correct horse', 'shop');
    const candidates = ['correct horse', 'Correct horse', 'correct horse ', 'correct hors', ''];
    expect(await Promise.all(candidates.map(candidate => passwords.matches(candidate, stored, 'shop')))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test.each([
    ['of today', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA', false],
    ['of less memory', '$argon2id$v=19$m=4096,t=2,p=1$c2FsdHNhbHQ$aGFzaA', true],
    ['of fewer passes', '$argon2id$v=19$m=19456,t=1,p=1$c2FsdHNhbHQ$aGFzaA', true],
    ['of another kind', '$2b$10$abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', true],
  ])('%s needs to be hashed again: %s', (_, stored, expected) => {
    expect(passwords.needsRehash(stored)).toBe(expected);
  });
});

test('control 1: a comparison without a stored hash computes one hash and does not match', async () => {
  expect(await passwords.matches('anything at all', null, 'shop')).toBe(false);
  expect(await passwords.matches('', null, 'shop')).toBe(false);
});

describe('control 4: no part of a password is cut off', () => {
  test.each([
    ['72 bytes', 72],
    ['255 bytes', 255],
    ['4,096 bytes', 4_096],
  ])('two that share the first %s do not match each other', async (_, length) => {
    const start = 'x'.repeat(length);
    const stored = await passwords.hash(`${start}1`, 'shop');
    expect(
      await Promise.all([
        passwords.matches(`${start}1`, stored, 'shop'),
        passwords.matches(`${start}2`, stored, 'shop'),
      ]),
    ).toEqual([true, false]);
  });

  test('two passwords that differ after a NUL character do not match each other', async () => {
    const stored = await passwords.hash('before\0after', 'shop');
    expect(await passwords.matches('before\0other', stored, 'shop')).toBe(false);
  });
});

describe('control 5: equivalent Unicode spellings of a password match', () => {
  test('composed and decomposed characters', async () => {
    const stored = await passwords.hash(composed, 'shop');
    expect([composed === decomposed, await passwords.matches(decomposed, stored, 'shop')]).toEqual([false, true]);
  });

  test('full-width characters and ligatures', async () => {
    const stored = await passwords.hash('file 12', 'shop');
    expect(await Promise.all(['ﬁle 12', 'ｆｉｌｅ　１２'].map(one => passwords.matches(one, stored, 'shop')))).toEqual([
      true,
      true,
    ]);
  });

  test('an imported hash of unnormalised characters matches the password as typed', async () => {
    const imported = await argon2(decomposed, { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    expect(await Promise.all([decomposed, composed].map(one => passwords.matches(one, imported, 'shop')))).toEqual([
      true,
      false,
    ]);
  });

  test('an imported hash of composed characters matches both spellings', async () => {
    const imported = await argon2(composed.normalize('NFKC'), { memoryCost: 1_024, timeCost: 1, parallelism: 1 });
    expect(await Promise.all([decomposed, composed].map(one => passwords.matches(one, imported, 'shop')))).toEqual([
      true,
      true,
    ]);
  });
});

describe('imported bcrypt', () => {
  test.each([['$2a$'], ['$2b$'], ['$2y$']])('%s is matched', async prefix => {
    const stored = (await bcrypt('correct horse', 4)).replace(/^\$2.\$/, prefix);
    const answers = await Promise.all(
      ['correct horse', 'wrong horse'].map(one => passwords.matches(one, stored, 'shop')),
    );
    expect(answers).toEqual([true, false]);
  });

  test('control 4: a password of more than 72 bytes does not match, because its end is not part of the hash', async () => {
    const start = 'é'.repeat(36);
    const stored = await bcrypt(`${start}-mine`, 4);
    const answers = await Promise.all(
      [`${start}-mine`, `${start}-other`, start].map(typed => passwords.matches(typed, stored, 'shop')),
    );
    expect(answers).toEqual([false, false, true]);
  });
});

describe('control 9: the queue of hashing jobs is bounded', () => {
  test('500 jobs wait while all threads are busy, and the next one is refused at once', async () => {
    // Without threads every job waits.
    const busy = createPasswords({ slots: 0 });
    const turnedAway: unknown[] = [];
    for (let count = 0; count < 501; count++) {
      busy.hash('correct horse', 'shop').catch((error: unknown) => turnedAway.push(error));
    }
    await expect(busy.matches('correct horse', '$argon2id$', 'shop')).rejects.toThrow(HashingBusy);
    expect(turnedAway).toEqual([expect.any(HashingBusy)]);
  });

  test('a full queue accepts the job of another project instead of the last one of the project that fills it', async () => {
    const busy = createPasswords({ slots: 0 });
    const shop = Array.from({ length: 500 }, () => busy.hash('correct horse', 'shop'));
    const refused = expect(shop.at(-1)).rejects.toThrow(HashingBusy);
    const other = busy.hash('correct horse', 'other').catch(() => 'refused');
    await refused;
    const later = new Promise(resolve => setImmediate(resolve, 'waits'));
    expect(await Promise.race([other, later])).toBe('waits');
  });

  test.each([
    [`$2b$10$${'0'.repeat(53)}`, 'refused'],
    [`$2b$11$${'0'.repeat(53)}`, 'waits'],
    ['$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2g', 'refused'],
    ['$argon2id$v=19$m=65536,t=4,p=4$c2FsdHNhbHQ$aGFzaGhhc2g', 'waits'],
  ])('beside 500 ordinary jobs, the comparison with %s is: %s', async (stored, expected) => {
    const busy = createPasswords({ slots: 0 });
    for (let count = 0; count < 500; count++) busy.hash('correct horse', 'shop').catch(() => undefined);
    const refused = busy.matches('correct horse', stored, 'shop').catch(() => 'refused');
    const later = new Promise(resolve => setImmediate(resolve, 'waits'));
    expect(await Promise.race([refused, later])).toBe(expected);
  });

  test('a thread is free again after a hash that cannot be parsed', async () => {
    const single = createPasswords({ slots: 1 });
    await single.matches('correct horse', 'not a hash', 'shop').catch(() => undefined);
    expect(await single.hash('correct horse', 'shop')).toMatch(/^\$argon2id/);
  });

  test('all queued jobs complete', async () => {
    const single = createPasswords({ slots: 1 });
    const stored = await single.hash('correct horse', 'shop');
    const answers = await Promise.all(
      ['correct horse', 'wrong', 'correct horse'].map(one => single.matches(one, stored, 'shop')),
    );
    expect(answers).toEqual([true, false, true]);
  });
});
