import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { codeNonce, url } from '../../fields/fields.ts';

/** Extension: another email with a link and a code. The code is redeemed by POST /contact-channels/verify. */
export const emailVerificationEndpoints = {
  sendCode: endpoint({
    method: 'POST',
    path: '/extensions/email-verification/send-code',
    access: 'client',
    user: 'required',
    body: z.strictObject({ callback_url: url }),
    response: z.strictObject({ nonce: codeNonce }),
    summary: 'Email a link and a code that verify the primary address of the signed-in user',
    tag: 'extension',
    errors: ['EMAIL_ALREADY_VERIFIED', 'REDIRECT_URL_NOT_WHITELISTED'],
  }),
};
