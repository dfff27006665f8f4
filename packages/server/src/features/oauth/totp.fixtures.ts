import { Secret, TOTP } from 'otpauth';

const secret = '12345678901234567890';

/** A second factor with a known secret. */
export const totpOf = {
  secretBase64: Buffer.from(secret).toString('base64'),
  now: (timestamp: number) => new TOTP({ secret: Secret.fromUTF8(secret) }).generate({ timestamp }),
};
