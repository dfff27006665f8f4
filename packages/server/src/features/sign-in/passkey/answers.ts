import * as z from 'zod';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');

const clientData = z.object({ origin: z.string() });

/** `clientDataJSON` holds what the browser saw; the origin in it decides whose passkeys are meant. */
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

/** WebAuthn, `RegistrationResponseJSON`. Only what is read here; browsers send more. */
export const registrationAnswer = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: clientDataJson,
    attestationObject: base64url,
    transports: z.array(z.string()).optional(),
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

/** Where the browser saw the page. */
export function originOf(answer: { response: { clientDataJSON: string } }): string {
  return clientData.parse(jsonIn(answer.response.clientDataJSON)).origin;
}

/** Undefined for what is not JSON. */
function jsonIn(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
