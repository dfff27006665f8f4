import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { Json, Reply, Routes } from '@tessera/protocol';
import { KnownErrors } from '@tessera/protocol/errors';
import type { Context } from '../../../app/context.ts';
import { defect } from '../../../errors/defect.ts';
import { pageOf } from '../../../navigation/page-of.ts';

type CreationOptions = Reply<Routes['POST /auth/passkey/initiate-passkey-registration'], 'client'>['options_json'];
type RequestOptions = Reply<Routes['POST /auth/passkey/initiate-passkey-authentication'], 'client'>['options_json'];

/** What the server writes where the host name of the page belongs. */
const placeholder: RequestOptions['rpId'] = 'THIS_VALUE_WILL_BE_REPLACED.example.com';

/** The one prompt that there may be. */
let current: AbortController | undefined;

/**
 * Runs a ceremony as the only one of the page: it aborts an older one, also one that waits for its options.
 * Control 69.
 *
 * @throws KnownError `PASSKEY_WEBAUTHN_ERROR` when the browser or the user cancels it.
 */
export async function runSinglePrompt<T>(
  given: AbortSignal | undefined,
  run: (assertWanted: () => void) => Promise<T>,
): Promise<T> {
  current?.abort();
  const own = new AbortController();
  current = own;
  own.signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony(), { once: true });
  const abort = () => own.abort();
  given?.addEventListener('abort', abort, { once: true });
  if (given?.aborted) own.abort();

  try {
    return await run(() => {
      if (own.signal.aborted) throw createAbortError();
    });
  } catch (error) {
    throw error instanceof WebAuthnError
      ? new KnownErrors.PasskeyWebAuthnError(error.message, String(error.code))
      : error;
  } finally {
    given?.removeEventListener('abort', abort);
    if (current === own) current = undefined;
  }
}

/** @throws KnownError `PASSKEY_REGISTRATION_FAILED` when the browser fails without saying how. */
export async function register(options: CreationOptions, hostname: string): Promise<Json> {
  if (options.rp.id !== placeholder) throw defect(`The server names the relying party ${options.rp.id}.`);
  try {
    const optionsJSON = { ...options, rp: { ...options.rp, id: hostname } };
    return asJson(await startRegistration({ optionsJSON: optionsJSON as PublicKeyCredentialCreationOptionsJSON }));
  } catch (error) {
    if (error instanceof WebAuthnError) throw error;
    throw new KnownErrors.PasskeyRegistrationFailed(error instanceof Error ? error.message : String(error));
  }
}

interface PasskeyPromptOptions {
  /** Default false: a window of its own. */
  readonly autofill?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The answer of the authenticator, with the code of the challenge that it answers.
 *
 * @param method the method that asks, for the error outside of a browser
 */
export async function promptForPasskey(
  ctx: Context<'client'>,
  method: string,
  { autofill = false, signal }: PasskeyPromptOptions = {},
) {
  const { hostname } = new URL(pageOf(ctx, method).href());
  return runSinglePrompt(signal, async assertWanted => {
    const { code, options_json } = await ctx.call('POST /auth/passkey/initiate-passkey-authentication', {
      session: null,
    });
    assertWanted();
    return { code, authentication_response: await authenticate(options_json, hostname, autofill) };
  });
}

async function authenticate(options: RequestOptions, hostname: string, autofill: boolean): Promise<Json> {
  if (options.rpId !== placeholder) throw defect(`The server names the relying party ${options.rpId}.`);
  const optionsJSON = { ...options, rpId: hostname };
  return asJson(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill }));
}

/** Plain data already, as the names of the types say; as interfaces they do not fit an index signature. */
function asJson(answer: RegistrationResponseJSON | AuthenticationResponseJSON): Json {
  return answer as unknown as Json;
}

function createAbortError(): Error {
  return new KnownErrors.PasskeyWebAuthnError('The prompt was aborted before it was shown.', 'ERROR_CEREMONY_ABORTED');
}
