import { Secret, TOTP } from 'otpauth';
import * as z from 'zod';

const secret = '12345678901234567890';

/** A second factor with a known secret. */
export const totpOf = {
  secretBase64: Buffer.from(secret).toString('base64'),
  now: (timestamp: number) => new TOTP({ secret: Secret.fromUTF8(secret) }).generate({ timestamp }),
};

const required = z.object({ details: z.object({ attempt_code: z.string() }) });

/** The code of the attempt in a response that asks for the second factor. */
export const attemptCodeOf = (answer: unknown) => required.parse(answer).details.attempt_code;
