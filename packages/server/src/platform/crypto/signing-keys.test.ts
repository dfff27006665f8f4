import { sign, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecrets } from './secrets.ts';
import { signingKeys } from './signing-keys.ts';

const secrets = createSecrets('the secret of an installation');
const kids = (generation: number) => signingKeys(secrets, 'internal', generation).all.map(key => key.kid);

test('the key derivation does not change between versions', () => {
  // Otherwise an upgrade would make every access token unparsable.
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

test('all processes derive the same keys', () => {
  const other = createSecrets('the secret of an installation');
  expect(signingKeys(other, 'internal', 3).all.map(key => key.publicJwk)).toEqual(
    signingKeys(secrets, 'internal', 3).all.map(key => key.publicJwk),
  );
});

test('keys differ by project, generation and installation', () => {
  const xs = [
    signingKeys(secrets, 'internal', 1),
    signingKeys(secrets, 'internal', 2),
    signingKeys(secrets, 'other', 1),
    signingKeys(createSecrets('another secret'), 'internal', 1),
  ].map(keys => keys.current.publicJwk.x);
  expect(new Set(xs).size).toBe(4);
});

test('a signature of the private key verifies with the public key', () => {
  const { current } = signingKeys(secrets, 'internal', 1);
  const signature = sign('sha256', Buffer.from('text'), current.privateKey);
  expect(verify('sha256', Buffer.from('text'), current.publicKey, signature)).toBe(true);
});

test('a public key has six members, and no private one', () => {
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

describe('control 31: the key generations overlap', () => {
  test('the next key is published before it is used to sign', () => {
    expect(kids(1)).toHaveLength(2);
    expect(kids(1)).toContain(signingKeys(secrets, 'internal', 2).current.kid);
  });

  test('the previous key still verifies', () => {
    expect(kids(2)).toHaveLength(3);
    expect(kids(2)).toContain(signingKeys(secrets, 'internal', 1).current.kid);
  });

  test('the key before the previous one is removed', () => {
    expect(kids(3)).not.toContain(signingKeys(secrets, 'internal', 1).current.kid);
  });
});
