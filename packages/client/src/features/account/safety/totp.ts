/** As the server checks it (RFC 6238): HMAC-SHA-1, six digits, steps of 30 s. */
const secretBytes = 20;
const stepMs = 30_000;
const digits = 6;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** An authenticator app that is about to become the second factor of a user. */
export interface TotpEnrolment {
  /** For `user.update({ totpMultiFactorSecret: secret })`, once a code has proved that the app knows it. */
  readonly secret: Uint8Array;
  /** The secret for people who cannot scan. */
  readonly secretText: string;
  /** What the app scans, as the text of a QR code. */
  readonly uri: string;
  /** Whether the app shows this code now, or did half a minute ago, or will in half a minute. */
  isValid(code: string): Promise<boolean>;
}

/**
 * Makes the secret of an authenticator app. Nothing is sent: check a code with it, then give the secret to the user.
 *
 * @param issuer the name that the app shows, e.g. the project's.
 * @param account the account name that authenticator apps show, e.g. the email address.
 * @example
 * const enrolment = createTotpEnrolment({ issuer: 'Shop', account: 'ada@example.com' });
 * if (await enrolment.isValid(typed)) await user.update({ totpMultiFactorSecret: enrolment.secret });
 */
export function createTotpEnrolment({ issuer, account }: { issuer: string; account: string }): TotpEnrolment {
  const secret = crypto.getRandomValues(new Uint8Array(secretBytes));
  const secretText = toBase32(secret);
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = `secret=${secretText}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
  return {
    secret,
    secretText,
    uri: `otpauth://totp/${label}?${parameters}`,
    async isValid(code) {
      const now = Math.floor(Date.now() / stepMs);
      const shown = await Promise.all([now - 1, now, now + 1].map(step => totpAt(secret, step)));
      return shown.includes(code.replaceAll(' ', ''));
    },
  };
}

/** RFC 4226 section 5.3 */
export async function totpAt(secret: Uint8Array, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(step));
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), { name: 'HMAC', hash: 'SHA-1' }, false, [
    'sign',
  ]);
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** RFC 4648 section 6; the length of a secret needs no padding. */
function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, byte => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map(five => base32[Number.parseInt(five, 2)]).join('');
}
