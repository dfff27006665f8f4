import type { AuthenticationAnswer, RegistrationAnswer } from './answers.ts';
import { isCredentialId, supportedAlgorithms, transportsToKeep } from './rules.ts';
import type { NewPasskey, Passkey } from './store.ts';

/** Loaded by the first passkey: 30 MB and 0.3 s, measured, that many installations never need. */
const library = () => import('@simplewebauthn/server');

/** What an answer has to be about. */
export interface Expected {
  readonly challenge: string;
  /** Trusted already. */
  readonly origin: string;
}

/** What an authenticator's answer has proved, or in words why it proves nothing. */
export type Verdict<T> = { readonly proved: T } | { readonly refusal: string };

/**
 * Checks a registration: presence of a user is required, verification is only noted (controls 65, 66;
 * docs/contract/decisions.md#controls-and-the-contract).
 */
export async function verifyRegistration(
  answer: RegistrationAnswer,
  { challenge, origin }: Expected,
): Promise<Verdict<Omit<NewPasskey, 'userId' | 'createdAtMillis'>>> {
  const { verifyRegistrationResponse } = await library();
  const { transports, ...response } = answer.response;
  const verified = await worded(
    verifyRegistrationResponse({
      response: { ...credentialOf(answer), response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...supportedAlgorithms],
    }),
  );
  if ('refusal' in verified) return verified;
  const { proved } = verified;
  if (!proved.verified) return { refusal: 'the attestation is not valid' };
  const { credential, userVerified, credentialDeviceType, credentialBackedUp } = proved.registrationInfo;
  if (!isCredentialId(credential.id)) return { refusal: 'the credential id is too long' };
  // What was signed counts; the name on the outside is what is looked up later.
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
    },
  };
}

/** Checks a signature, and that the authenticator has counted on. */
export async function verifyAuthentication(
  answer: AuthenticationAnswer,
  { challenge, origin }: Expected,
  passkey: Passkey,
): Promise<Verdict<{ counter: number; isBackedUp: boolean; isUserVerified: boolean }>> {
  const { verifyAuthenticationResponse } = await library();
  const { userHandle: _, ...response } = answer.response;
  const verified = await worded(
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
  // The library compares the type itself, with a sentence for every other one.
  return { id, rawId, type: type as 'public-key', clientExtensionResults: {} };
}

/** The library throws plain errors for whatever an authenticator, or somebody in its place, can have sent. */
function worded<T>(verification: Promise<T>): Promise<Verdict<T>> {
  return verification.then(
    proved => ({ proved }),
    (error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }),
  );
}
