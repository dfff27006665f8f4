/** A key of "Sign in with Apple". */
export interface AppleKey {
  readonly teamId: string;
  readonly keyId: string;
  /** The text of the file `AuthKey_….p8`. */
  readonly privateKey: string;
}

/** The key in a stored client secret of Apple; undefined for a JWT. */
export function parseAppleKey(clientSecret: string): AppleKey | undefined {
  if (!clientSecret.startsWith('{')) return undefined;
  const key: { team_id: string; key_id: string; private_key: string } = JSON.parse(clientSecret);
  return { teamId: key.team_id, keyId: key.key_id, privateKey: key.private_key };
}

/** The client secret with which the server signs its own (docs/contract/oauth.md#the-key-of-apple). */
export function toClientSecret({ teamId, keyId, privateKey }: AppleKey): string {
  return JSON.stringify({ team_id: teamId, key_id: keyId, private_key: privateKey });
}

/** Whether a text is an id of a team or key. */
export function isAppleId(text: string): boolean {
  return /^[A-Z0-9]{10}$/.test(text);
}

/** Whether a text is a private key in PEM form. */
export function isPrivateKey(text: string): boolean {
  return /^-----BEGIN PRIVATE KEY-----\s[\s\w+/=]+-----END PRIVATE KEY-----$/.test(text);
}

/** The id of the key that Apple writes into the name of its file. */
export function keyIdOfFile(name: string): string | undefined {
  return /^AuthKey_([A-Z0-9]{10})\b/.exec(name)?.[1];
}
