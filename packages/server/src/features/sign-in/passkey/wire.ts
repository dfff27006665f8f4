import { type Answer, type ownPasskeyEndpoints, passkeyRpIdPlaceholder, passkeyTimeoutMs } from '@tessera/protocol';
import type { OwnPasskey, Passkey } from '../../accounts/credentials/index.ts';
import { authenticatorName } from './authenticator-names.ts';
import { supportedAlgorithms } from './rules.ts';

const userVerification = 'preferred' as const;
const type = 'public-key' as const;

/** docs/contract/sign-in-methods.md#passkey-registration-start */
export function creationOptions(options: {
  challenge: string;
  projectName: string;
  user: { handle: string; name: string };
  registered: readonly Passkey[];
}) {
  const { challenge, projectName, user, registered } = options;
  return {
    challenge,
    rp: { id: passkeyRpIdPlaceholder, name: projectName } as const,
    user: { id: user.handle, name: user.name, displayName: user.name },
    pubKeyCredParams: supportedAlgorithms.map(alg => ({ alg, type }) as const),
    timeout: passkeyTimeoutMs,
    attestation: 'none' as const,
    excludeCredentials: registered.map(
      ({ credentialId: id, transports }) =>
        ({ id, type, ...(transports.length === 0 ? {} : { transports: [...transports] }) }) as const,
    ),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification } as const,
    extensions: { credProps: true } as const,
  };
}

/**
 * docs/contract/sign-in-methods.md#passkey-sign-in-start. No credentials are listed: the user is not known yet.
 */
export function requestOptions(challenge: string) {
  return {
    rpId: passkeyRpIdPlaceholder as typeof passkeyRpIdPlaceholder,
    challenge,
    allowCredentials: [],
    timeout: passkeyTimeoutMs,
    userVerification,
  };
}

type OwnPasskeyView = Answer<typeof ownPasskeyEndpoints.list>['items'][number];

/** docs/contract/decisions.md#account-safety */
export function ownPasskeyView(passkey: OwnPasskey, device: OwnPasskeyView['device']): OwnPasskeyView {
  return {
    id: passkey.credentialId,
    name: passkey.name,
    provider_name: authenticatorName(passkey.aaguid),
    device,
    is_synced: passkey.isBackedUp,
    created_at_millis: passkey.createdAtMillis,
    last_used_at_millis: passkey.lastUsedAtMillis,
  };
}
