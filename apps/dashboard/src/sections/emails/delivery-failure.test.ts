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
    'a recipient that does not exist, by the status code',
    {
      errorType: 'REJECTED',
      canRetry: false,
      message: 'Rejected.',
      rawError: { response: '550 5.1.1 No mailbox here' },
    },
    { type: 'NO_RECIPIENT', message: 'Rejected.', canRetry: false, answer: '550 5.1.1 No mailbox here' },
  ],
  [
    'a recipient that does not exist, by the words',
    {
      errorType: 'INVALID_EMAIL_ADDRESS',
      canRetry: false,
      message: 'Not valid.',
      rawError: { response: '553 No such user' },
    },
    { type: 'NO_RECIPIENT', message: 'Not valid.', canRetry: false, answer: '553 No such user' },
  ],
  [
    'a sender that the server refuses',
    {
      errorType: 'REJECTED',
      canRetry: false,
      message: 'Rejected.',
      rawError: { response: '550 5.7.1 Sender refused' },
    },
    { type: 'REJECTED', message: 'Rejected.', canRetry: false, answer: '550 5.7.1 Sender refused' },
  ],
  [
    'an error of an unknown shape',
    'broken',
    { type: 'UNKNOWN', message: '"broken"', canRetry: false, answer: undefined },
  ],
] as const)('the failure of %s', (_, error, failure) => {
  expect(deliveryFailure(error)).toEqual(failure);
});
