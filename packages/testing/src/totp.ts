import { TOTP } from 'otpauth';

const stepMs = 30_000;

/** The code of an authenticator app with this key (base32), optionally `steps` half minutes later. */
export function totpCode(key: string, steps = 0): string {
  return new TOTP({ secret: key.replaceAll(' ', '') }).generate({ timestamp: Date.now() + steps * stepMs });
}
