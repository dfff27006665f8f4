import type { Context } from '../../../app/context.ts';

/** WebAuthn Level 3, 5.1.10. Browsers without it have none of these functions. */
interface SignalApi {
  signalUnknownCredential?(options: { rpId: string; credentialId: string }): Promise<void>;
  signalAllAcceptedCredentials?(options: {
    rpId: string;
    userId: string;
    allAcceptedCredentialIds: readonly string[];
  }): Promise<void>;
  signalCurrentUserDetails?(options: {
    rpId: string;
    userId: string;
    name: string;
    displayName: string;
  }): Promise<void>;
}

interface Account {
  /** As base64url. */
  readonly userHandle: string;
  readonly name: string;
  /** The credential ids of all passkeys of the account. */
  readonly ids: readonly string[];
}

/** Tells password managers which passkeys of the account exist, and its current name. */
export async function signalPasskeys(
  ctx: Context<'client'>,
  { userHandle: userId, name, ids }: Account,
): Promise<void> {
  const [api, rpId] = [signalApi(), rpIdOf(ctx)];
  if (api === undefined || rpId === undefined) return;
  await ignoreRefusal(api.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: ids }));
  await ignoreRefusal(api.signalCurrentUserDetails?.({ rpId, userId, name, displayName: name }));
}

/**
 * After a refused sign-in: asks the server whether it knows the passkey, and tells password managers when it does not.
 *
 * @returns whether the passkey is known
 */
export async function signalWhenUnknown(ctx: Context<'client'>, credentialId: string): Promise<boolean> {
  const { is_known: isKnown } = await ctx.call('POST /extensions/passkeys/check', {
    body: { passkey_id: credentialId },
    session: null,
  });
  const rpId = rpIdOf(ctx);
  if (!isKnown && rpId !== undefined)
    await ignoreRefusal(signalApi()?.signalUnknownCredential?.({ rpId, credentialId }));
  return isKnown;
}

function signalApi(): SignalApi | undefined {
  return (globalThis as { PublicKeyCredential?: SignalApi }).PublicKeyCredential;
}

function rpIdOf({ platform }: Context<'client'>): string | undefined {
  const address = platform.page?.href();
  return address === undefined ? undefined : new URL(address).hostname;
}

/** A signal is advice, so a browser may refuse it, e.g. because the host name has no passkeys. */
async function ignoreRefusal(signal: Promise<void> | undefined): Promise<void> {
  await signal?.catch(() => undefined);
}
