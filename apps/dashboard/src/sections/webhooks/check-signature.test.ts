import { expect, test } from 'vitest';
import { checkSignature } from './check-signature.ts';

// The example of the Standard Webhooks libraries.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const request = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: '{"test": 2432232314}',
};
const sentAt = new Date(1_614_265_330_000);

test.each([
  ['the published example of Standard Webhooks', {}, sentAt, 'valid'],
  ['one of two signatures', { signature: `v1,AAAA ${request.signature}` }, sentAt, 'valid'],
  ['spaces around the pasted headers', { id: ` ${request.id} `, timestamp: ' 1614265330 ' }, sentAt, 'valid'],
  ['a request of ten minutes ago', {}, new Date(sentAt.getTime() + 600_000), 'old'],
  ['a body that was written again', { body: '{"test":2432232314}' }, sentAt, 'mismatch'],
  ['a timestamp that is a date', { timestamp: '2021-02-25' }, sentAt, 'malformed'],
  ['a signature without version', { signature: 'g0hM9SsE' }, sentAt, 'malformed'],
  ['a missing id', { id: '' }, sentAt, 'malformed'],
] as const)('the signature check of %s', async (_, changes, now, verdict) => {
  expect(await checkSignature({ ...request, ...changes }, secret, now)).toBe(verdict);
});
