import { describe, expect, test } from 'vitest';
import { createSecrets, sha256 } from './secrets.ts';

const secrets = createSecrets('the secret of an installation');

describe('derived keys', () => {
  test('are equal in all processes with the same secret', () => {
    const other = createSecrets('the secret of an installation');
    expect(other.derive('a purpose')).toEqual(secrets.derive('a purpose'));
  });

  test('differ by purpose and by installation', () => {
    const keys = [
      secrets.derive('a purpose'),
      secrets.derive('another purpose'),
      createSecrets('another secret').derive('a purpose'),
    ];
    expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(3);
  });

  test('do not change between versions', () => {
    // Values that this release encrypts and signs must be readable by the next one.
    expect(createSecrets('s').derive('p', 16).toString('hex')).toMatchInlineSnapshot(
      `"ba0110ed4f6380d5ffe082d32809b657"`,
    );
  });
});

describe('encryption', () => {
  test('decrypts to the original value', () => {
    expect(secrets.decrypt('totp', secrets.encrypt('totp', 'a text with ümlauts')).toString()).toBe(
      'a text with ümlauts',
    );
    expect([...secrets.decrypt('totp', secrets.encrypt('totp', Uint8Array.of(0, 255)))]).toEqual([0, 255]);
    expect(secrets.decrypt('totp', secrets.encrypt('totp', ''))).toHaveLength(0);
  });

  test('hides the text, and differs for each call', () => {
    const [one, other] = [secrets.encrypt('totp', 'known text'), secrets.encrypt('totp', 'known text')];
    expect(one.equals(other)).toBe(false);
    expect(one.includes('known text')).toBe(false);
  });

  test('is refused for another purpose and under another secret', () => {
    const encrypted = secrets.encrypt('totp', 'text');
    expect(() => secrets.decrypt('mail', encrypted)).toThrow();
    expect(() => createSecrets('another secret').decrypt('totp', encrypted)).toThrow();
  });

  test('detects a change of any byte, and truncation at any position', () => {
    const encrypted = secrets.encrypt('totp', 'text');
    for (let index = 0; index < encrypted.length; index++) {
      const changed = Buffer.from(encrypted);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => secrets.decrypt('totp', changed), `byte ${index} changed`).toThrow();
      expect(() => secrets.decrypt('totp', encrypted.subarray(0, index)), `cut before byte ${index}`).toThrow();
    }
  });
});

describe('control 99: during a change of the secret', () => {
  const next = createSecrets('the next secret', 'the secret of an installation');

  test('values of the other accepted secret are decrypted, and none are encrypted under it', () => {
    const old = secrets.encrypt('totp', 'text');
    expect(next.decrypt('totp', old).toString()).toBe('text');
    expect(() => next.decrypt('mail', old)).toThrow();
    const fresh = next.encrypt('totp', 'text');
    expect(createSecrets('the next secret').decrypt('totp', fresh).toString()).toBe('text');
    expect(() => secrets.decrypt('totp', fresh)).toThrow();
  });

  test('an encrypted value contains the id of its secret', () => {
    expect(secrets.encrypt('totp', 'text').subarray(0, secrets.currentHeader.length)).toEqual(secrets.currentHeader);
    expect(next.currentHeader).not.toEqual(secrets.currentHeader);
  });

  test('an accepted secret equal to the current one is ignored', () => {
    expect(createSecrets('s', 's').deriveAccepted).toBeUndefined();
  });

  test('values of the first version, without the id of a secret, are decrypted', () => {
    const first = Buffer.from('AQABAgMEBQYHCAkKC4J1i8bOFrqQ9gPNypGknq0+kr6p', 'base64');
    expect(secrets.decrypt('totp', first).toString()).toBe('text');
    expect(next.decrypt('totp', first).toString()).toBe('text');
  });
});

test('the hash for lookups is SHA-256', () => {
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
