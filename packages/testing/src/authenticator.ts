import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseUrl } from '@tessera/protocol';

/** The behaviour of a software authenticator; tests create faulty ones. */
export interface AuthenticatorOptions {
  /** COSE: ES256 (-7), EdDSA (-8) or RS256 (-257). */
  readonly algorithm?: -7 | -8 | -257;
  readonly credentialId?: string;
  /** First value of the signature counter; 0 for an authenticator without a counter. */
  readonly counter?: number;
  /** The model. Default: it names none. */
  readonly aaguid?: string;
  /** The members of the public key in COSE. Default: those of a new key pair. */
  readonly publicKey?: CoseKey;
}

/** By label. */
type CoseKey = Readonly<Record<number, number | Buffer>>;

interface Attestation {
  readonly fmt: string;
  readonly attStmt: { readonly [name: string]: CborValue };
}

/** Deviations from a correct browser and authenticator. */
export interface Ceremony {
  readonly origin?: string;
  /** Default: the host name of the origin. */
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** For a page in a frame of another origin. Default: false. */
  readonly crossOrigin?: unknown;
  readonly topOrigin?: unknown;
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  /** Default: the user handle of the registration; null sends none. */
  readonly userHandle?: string | null;
  readonly counter?: number;
  /** Signs with a key that was not registered. */
  readonly otherKey?: boolean;
  /** The attestation of a registration; `self` is signed with the new key. Default: `none`. */
  readonly attestation?: 'self' | Attestation;
}

const noModel = '00000000-0000-0000-0000-000000000000';
const defaultOrigin = 'http://localhost:3000';

/**
 * A browser with a software authenticator: real keys, attestations of type `none` by default, real signatures. It stores one
 * passkey.
 */
export function createAuthenticator(options: AuthenticatorOptions = {}) {
  const { algorithm = -7, credentialId, counter: first = 1, aaguid = noModel } = options;
  const keys = newKeys(algorithm);
  const { publicKey = coseKey(algorithm, keys.publicKey) } = options;
  const id = credentialId ?? randomBytes(32).toString('base64url');
  let counter = first;
  let handle: string | undefined;

  function signed(authData: Buffer, clientDataJSON: string, { privateKey } = keys): Buffer {
    const message = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return sign(algorithm === -8 ? null : 'sha256', message, privateKey);
  }

  return {
    credentialId: id,

    /** Responds to creation options, like `navigator.credentials.create`, in the JSON format of WebAuthn. */
    register(options: { challenge: string; user: { id: string } }, ceremony: Ceremony = {}) {
      handle = options.user.id;
      const clientDataJSON = clientData('webauthn.create', options.challenge, ceremony);
      const credential = [
        Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
        uint16(idBytes(id).length),
        idBytes(id),
        cborMap(...Object.entries(publicKey).map(([label, value]) => [Number(label), value] as const)),
      ];
      const authData = authenticatorData(
        { ...ceremony, counter: ceremony.counter ?? counter },
        Buffer.concat(credential),
      );
      const attestation =
        ceremony.attestation === 'self'
          ? { fmt: 'packed', attStmt: { alg: algorithm, sig: signed(authData, clientDataJSON) } }
          : (ceremony.attestation ?? { fmt: 'none', attStmt: {} });
      const attestationObject = cbor({ ...attestation, authData });
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal', 'hybrid'],
          authenticatorData: authData.toString('base64url'),
        },
        clientExtensionResults: { credProps: { rk: true } },
        authenticatorAttachment: 'platform',
      };
    },

    /** Responds to request options, like `navigator.credentials.get`. */
    signIn(options: { challenge: string }, ceremony: Ceremony = {}) {
      if (counter > 0) counter += 1;
      const clientDataJSON = clientData('webauthn.get', options.challenge, ceremony);
      const authData = authenticatorData({ ...ceremony, counter: ceremony.counter ?? counter });
      const signature = signed(authData, clientDataJSON, ceremony.otherKey === true ? newKeys(algorithm) : keys);
      const userHandle = ceremony.userHandle === undefined ? handle : (ceremony.userHandle ?? undefined);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
      };
    },
  };
}

function newKeys(algorithm: -7 | -8 | -257): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (algorithm === -8) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function clientData(type: string, challenge: string, ceremony: Ceremony): string {
  const data = {
    type: ceremony.type ?? type,
    challenge: ceremony.challenge ?? challenge,
    origin: ceremony.origin ?? defaultOrigin,
    crossOrigin: ceremony.crossOrigin ?? false,
    ...(ceremony.topOrigin !== undefined && { topOrigin: ceremony.topOrigin }),
  };
  return Buffer.from(JSON.stringify(data)).toString('base64url');
}

/** WebAuthn Level 3, 6.1: hash of the relying party, flags, counter, and at registration the credential. */
function authenticatorData(ceremony: Ceremony & { counter: number }, credential?: Buffer): Buffer {
  const { origin = defaultOrigin, userPresent = true, userVerified = true } = ceremony;
  const rpId = ceremony.rpId ?? parseUrl(origin)?.hostname ?? origin;
  const flags = (userPresent ? 0x01 : 0) | (userVerified ? 0x04 : 0) | (credential === undefined ? 0 : 0x40);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(ceremony.counter);
  return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter, credential ?? Buffer.alloc(0)]);
}

/** RFC 9053: the `COSE_Key` of each algorithm. */
function coseKey(algorithm: -7 | -8 | -257, key: KeyObject): CoseKey {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  if (algorithm === -7) return { 1: 2, 3: -7, '-1': 1, '-2': bytes(x), '-3': bytes(y) };
  if (algorithm === -8) return { 1: 1, 3: -8, '-1': 6, '-2': bytes(x) };
  return { 1: 3, 3: -257, '-1': bytes(n), '-2': bytes(e) };
}

type CborValue = number | string | Buffer | { readonly [key: string]: CborValue };

/** RFC 8949, as far as an attestation needs it. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return cborMap(...Object.entries(value as Record<string, CborValue>));
}

function cborMap(...entries: readonly (readonly [CborValue, CborValue])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])]);
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.concat([Buffer.from([(kind << 5) | 25]), uint16(size)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function idBytes(id: string): Buffer {
  return Buffer.from(id, 'base64url');
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
