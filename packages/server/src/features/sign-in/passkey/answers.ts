import { passkeyTransportsMax } from '@tessera/protocol';
import * as z from 'zod';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');

const clientData = z.object({
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

/** `clientDataJSON` is what the browser signed. Its origin decides which passkeys are accepted. */
const clientDataJson = base64url.refine(
  value => clientData.safeParse(jsonIn(value)).success,
  'must hold client data with an origin',
);

const answer = {
  id: base64url,
  rawId: base64url,
  type: z.string(),
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: z.string().nullish(),
};

/** WebAuthn, `RegistrationResponseJSON`: only the members that are read here. */
export const registrationAnswer = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: clientDataJson,
    attestationObject: base64url,
    transports: z.array(z.string()).max(passkeyTransportsMax).optional(),
  }),
});

/** WebAuthn, `AuthenticationResponseJSON`. */
export const authenticationAnswer = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: clientDataJson,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().nullish(),
  }),
});

export type RegistrationAnswer = z.infer<typeof registrationAnswer>;
export type AuthenticationAnswer = z.infer<typeof authenticationAnswer>;

/** The page that called the authenticator. */
export interface CallingPage {
  readonly origin: string;
  /** The page is in a frame of another origin. */
  readonly isFramed: boolean;
}

export function callingPageOf(answer: { response: { clientDataJSON: string } }): CallingPage {
  const { origin, crossOrigin, topOrigin } = clientData.parse(jsonIn(answer.response.clientDataJSON));
  return { origin, isFramed: crossOrigin === true || topOrigin !== undefined };
}

/** Undefined when the value is not JSON. */
function jsonIn(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
