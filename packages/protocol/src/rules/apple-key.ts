import * as z from 'zod';

/** Apple's ids of teams and keys. */
const appleId = z.string().regex(/^[A-Z0-9]{10}$/, 'must have ten capital letters and digits');

const appleKey = z.strictObject({
  team_id: appleId,
  key_id: appleId,
  private_key: z
    .string()
    .regex(
      /^\s*-----BEGIN PRIVATE KEY-----[\sA-Za-z0-9+/=]+-----END PRIVATE KEY-----\s*$/,
      'must be the text of the file AuthKey_….p8',
    ),
});

/**
 * A key of "Sign in with Apple". Apple's client secrets are JWTs that last half a year at most; with the key the server
 * signs a new one for each request (docs/contract/oauth.md#the-key-of-apple).
 */
export type AppleKey = z.infer<typeof appleKey>;

/**
 * Reads a client secret of Apple, which is a JWT, or a key as JSON.
 *
 * @returns undefined for a JWT, or what is wrong with the key
 */
export function readAppleKey(
  clientSecret: string,
): { readonly key: AppleKey } | { readonly wrong: string } | undefined {
  if (!clientSecret.trimStart().startsWith('{')) return undefined;
  const value = parseJson(clientSecret);
  if (value === undefined) return { wrong: 'it begins with { and is not JSON' };
  const { data, error } = appleKey.safeParse(value);
  if (data !== undefined) return { key: data };
  const [issue] = error.issues;
  return { wrong: [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
