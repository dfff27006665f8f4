import { sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';
import { signingKeys } from './signing-keys.ts';

const secrets = createSecrets('the secret of an installation');
const kids = (generation: number) => signingKeys(secrets, 'internal', generation).all.map(key => key.kid);

test('the derivation does not change from version to version', () => {
  // Otherwise every access token would become unparsable with an upgrade.
  expect(signingKeys(secrets, 'internal', 1).current.publicJwk).toMatchInlineSnapshot(`
    {
      "alg": "ES256",
      "crv": "P-256",
      "kid": "PliV9KnDph5T",
      "kty": "EC",
      "x": "epW1YGqzny2rIMWYmgAiFllgXc2FmDRjFWRgRkrpZ0Q",
      "y": "U90bbhOOi4mh3HIT_1RTyqCueQs_zGN8Y5OWoED5ngM",
    }
  `);
});

test('every process derives the same keys', () => {
  const other = createSecrets('the secret of an installation');
  expect(signingKeys(other, 'internal', 3).all.map(key => key.publicJwk)).toEqual(
    signingKeys(secrets, 'internal', 3).all.map(key => key.publicJwk),
  );
});

test('each project, generation and installation has keys of its own', () => {
  const xs = [
    signingKeys(secrets, 'internal', 1),
    signingKeys(secrets, 'internal', 2),
    signingKeys(secrets, 'other', 1),
    signingKeys(createSecrets('another secret'), 'internal', 1),
  ].map(keys => keys.current.publicJwk.x);
  expect(new Set(xs).size).toBe(4);
});

test('the private key signs for the public one', () => {
  const { current } = signingKeys(secrets, 'internal', 1);
  const signature = sign('sha256', Buffer.from('text'), current.privateKey);
  expect(verify('sha256', Buffer.from('text'), current.publicKey, signature)).toBe(true);
});

test('a public key shows six members, and not the private one', () => {
  const { publicJwk } = signingKeys(secrets, 'internal', 1).current;
  expect(publicJwk).toEqual({
    kty: 'EC',
    alg: 'ES256',
    crv: 'P-256',
    x: expect.stringMatching(/^[\w-]{43}$/),
    y: expect.stringMatching(/^[\w-]{43}$/),
    kid: expect.stringMatching(/^[\w-]{12}$/),
  });
});

describe('control 31: generations overlap', () => {
  test('the next key is published before it signs', () => {
    expect(kids(1)).toHaveLength(2);
    expect(kids(1)).toContain(signingKeys(secrets, 'internal', 2).current.kid);
  });

  test('the previous key goes on verifying', () => {
    expect(kids(2)).toHaveLength(3);
    expect(kids(2)).toContain(signingKeys(secrets, 'internal', 1).current.kid);
  });

  test('the key before the previous one is gone', () => {
    expect(kids(3)).not.toContain(signingKeys(secrets, 'internal', 1).current.kid);
  });
});
