import { expect, test } from 'vitest';
import { deliveryFailure } from './delivery-failure.ts';

const refused = {
  errorType: 'AUTH_FAILED',
  canRetry: false,
  message: 'The mail server refused the user name or the password.',
  rawError: { responseCode: 535, response: '535 5.7.8 Bad credentials', message: 'Invalid login' },
};

test.each([
  ['an accepted email', undefined, undefined],
  [
    'a refused login',
    refused,
    { type: 'AUTH_FAILED', message: refused.message, canRetry: false, answer: '535 5.7.8 Bad credentials' },
  ],
  [
    'a server that greylists, whatever its class',
    {
      errorType: 'REJECTED',
      canRetry: false,
      message: 'Rejected.',
      rawError: { responseCode: 451, response: '451 4.7.1 Greylisted' },
    },
    { type: 'TEMPORARY', message: 'Rejected.', canRetry: true, answer: '451 4.7.1 Greylisted' },
  ],
  [
    'a connection without an answer',
    { errorType: 'TIMEOUT', canRetry: true, message: 'Timed out.', rawError: { message: 'connect ETIMEDOUT' } },
    { type: 'TIMEOUT', message: 'Timed out.', canRetry: true, answer: 'connect ETIMEDOUT' },
  ],
  [
    'a TLS handshake that does not end',
    { errorType: 'TIMEOUT', canRetry: true, message: 'Timed out.', rawError: { message: 'TLS handshake timed out' } },
    { type: 'TLS', message: 'Timed out.', canRetry: true, answer: 'TLS handshake timed out' },
  ],
  [
    'an error of an unknown shape',
    'broken',
    { type: 'UNKNOWN', message: '"broken"', canRetry: false, answer: undefined },
  ],
] as const)('the failure of %s', (_, error, failure) => {
  expect(deliveryFailure(error)).toEqual(failure);
});

test.each([
  ['NO_RECIPIENT', 'a recipient that does not exist, by the status code', 'REJECTED', '550 5.1.1 No mailbox here'],
  ['NO_RECIPIENT', 'a recipient that does not exist, by the words', 'INVALID_EMAIL_ADDRESS', '553 No such user'],
  ['REJECTED', 'a sender that the server refuses', 'REJECTED', '550 5.7.1 Sender refused'],
])('the type is %s for %s', (type, _, errorType, response) => {
  const error = { errorType, canRetry: false, message: 'Refused.', rawError: { response } };
  expect(deliveryFailure(error)).toEqual({ type, message: 'Refused.', canRetry: false, answer: response });
});
