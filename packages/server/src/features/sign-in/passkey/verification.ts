import type { NewPasskey, Passkey } from '../../accounts/credentials/index.ts';
import type { AuthenticationAnswer, RegistrationAnswer } from './answers.ts';
import { assertUsableKey } from './public-key.ts';
import { isCredentialId, modelOf, supportedAlgorithms, transportsToKeep } from './rules.ts';

/** Loaded by the first passkey: it costs 30 MB and 0.3 s (measured), and many installations never use passkeys. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** What a response must contain. */
export interface Expected {
  readonly challenge: string;
  /** Already checked to be trusted. */
  readonly origin: string;
}

/** What a response of an authenticator proves, or why it proves nothing. */
export type Verdict<T> = { readonly proved: T } | { readonly refusal: string };

/**
 * Verifies a registration. User presence is required, user verification is only stored (controls 65, 66;
 * docs/contract/decisions.md#controls-and-the-contract).
 */
export async function verifyRegistration(
  answer: RegistrationAnswer,
  { challenge, origin }: Expected,
): Promise<Verdict<Omit<NewPasskey, 'userId' | 'userAgent' | 'createdAtMillis'>>> {
  const { verifyRegistrationResponse } = await library();
  const { transports, ...response } = answer.response;
  const verify = async () => {
    const registration = await verifyRegistrationResponse({
      response: {
        ...credentialOf(answer),
        response: { ...response, attestationObject: await withoutCertificates(response.attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...supportedAlgorithms],
    });
    if (registration.verified) assertUsableKey(await decodeKey(registration.registrationInfo.credential.publicKey));
    return registration;
  };
  const verified = await toVerdict(verify());
  if ('refusal' in verified) return verified;
  const { proved } = verified;
  if (!proved.verified) return { refusal: 'the attestation is not valid' };
  const { aaguid, credential, userVerified, credentialDeviceType, credentialBackedUp } = proved.registrationInfo;
  if (!isCredentialId(credential.id)) return { refusal: 'the credential id is too long' };
  // The signed id counts; the outer id is the one that later sign-ins look up.
  if (credential.id !== answer.id) return { refusal: 'the credential id is another one than was signed' };
  return {
    proved: {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: transportsToKeep(transports),
      deviceType: credentialDeviceType,
      isBackedUp: credentialBackedUp,
      isUserVerified: userVerified,
      aaguid: modelOf(aaguid),
    },
  };
}

/** The formats whose statement always has certificates (WebAuthn Level 3, 8). */
const certifiedFormats = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'tpm'];

/**
 * The attestation object, with the format `none` when its statement has certificates. The library would trust them, and
 * download revocation lists from the addresses that they name. A statement without certificates stays and is verified.
 * Control 86.
 *
 * @throws for an object that cannot be decoded
 */
async function withoutCertificates(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await helpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const statement: unknown = attestation.get('attStmt');
  const isCertified =
    certifiedFormats.includes(attestation.get('fmt')) || (statement instanceof Map && statement.has('x5c'));
  if (!isCertified) return attestationObject;
  const object = new Map<string, Parameters<typeof isoCBOR.encode>[0]>();
  object.set('fmt', 'none').set('attStmt', new Map()).set('authData', attestation.get('authData'));
  return isoBase64URL.fromBuffer(isoCBOR.encode(object));
}

/** @throws for bytes that are not CBOR */
async function decodeKey(publicKey: Uint8Array<ArrayBuffer>): Promise<ReadonlyMap<number, unknown>> {
  const { isoCBOR } = await helpers();
  return isoCBOR.decodeFirst(publicKey);
}

/** Verifies a signature, and that the counter has increased. */
export async function verifyAuthentication(
  answer: AuthenticationAnswer,
  { challenge, origin }: Expected,
  passkey: Passkey,
): Promise<Verdict<{ counter: number; isBackedUp: boolean; isUserVerified: boolean }>> {
  const { verifyAuthenticationResponse } = await library();
  const { userHandle: _, ...response } = answer.response;
  const verified = await toVerdict(
    verifyAuthenticationResponse({
      response: { ...credentialOf(answer), response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  if ('refusal' in verified) return verified;
  const { proved } = verified;
  if (!proved.verified) return { refusal: 'the signature is not valid' };
  const { newCounter, credentialBackedUp, userVerified } = proved.authenticationInfo;
  return { proved: { counter: newCounter, isBackedUp: credentialBackedUp, isUserVerified: userVerified } };
}

function credentialOf({ id, rawId, type }: Pick<RegistrationAnswer, 'id' | 'rawId' | 'type'>) {
  // The library checks the type itself.
  return { id, rawId, type: type as 'public-key', clientExtensionResults: {} };
}

/** The library throws plain errors for every invalid response. */
function toVerdict<T>(verification: Promise<T>): Promise<Verdict<T>> {
  return verification.then(
    proved => ({ proved }),
    (error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }),
  );
}
