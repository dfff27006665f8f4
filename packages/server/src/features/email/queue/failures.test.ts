import { describe, expect, test } from 'vitest';
import { mailFailure, type RawFailure } from './failures.ts';

type Row = readonly [RawFailure, string, boolean];

describe('the class of a delivery failure and whether it is retried', () => {
  test.each<Row>([
    [{ code: 'EDNS', message: 'getaddrinfo ENOTFOUND nowhere' }, 'HOST_NOT_FOUND', false],
    [{ code: 'EAUTH', responseCode: 535, response: '535 no' }, 'AUTH_FAILED', false],
    [{ code: 'EENVELOPE', responseCode: 450, response: '450 later' }, 'TEMPORARY', true],
    [{ code: 'EENVELOPE', responseCode: 553, response: '553 bad' }, 'INVALID_EMAIL_ADDRESS', false],
    [{ code: 'EMESSAGE', responseCode: 554, response: '554 spam' }, 'REJECTED', false],
    [{ code: 'EENVELOPE', responseCode: 550, response: '550 unknown user' }, 'REJECTED', false],
    [{ code: 'ETIMEDOUT', message: 'Connection timeout' }, 'TIMEOUT', true],
    [{ code: 'ETIMEDOUT', message: 'TLS handshake timed out' }, 'TIMEOUT', true],
    [{ code: 'ECONNECTION', message: 'Connection closed unexpectedly' }, 'SOCKET_CLOSED', false],
    [
      { code: 'ESOCKET', message: 'Client network socket disconnected before secure TLS connection was established' },
      'UNKNOWN',
      true,
    ],
    [{ code: 'EMESSAGE', responseCode: 421, response: '421 Too many requests' }, 'UNKNOWN', true],
    [{ code: 'EMESSAGE', responseCode: 451, response: '451 4.5.0 error 450' }, 'UNKNOWN', true],
    [{ code: 'ESOCKET', message: 'read ECONNRESET' }, 'UNKNOWN', false],
    [{ code: 'ESOCKET', message: 'connect ECONNREFUSED' }, 'UNKNOWN', false],
    [{ message: 'anything' }, 'UNKNOWN', false],
  ])('%j', (raw, type, canRetry) => {
    expect(mailFailure(raw, 'smtp.example.com')).toMatchObject({
      type,
      canRetry,
      message: expect.stringMatching(/\.|:/),
    });
  });

  test('a reset connection is retried for hosts that are known to reset connections', () => {
    const failure = mailFailure({ code: 'ESOCKET', message: 'read ECONNRESET' }, 'smtp.resend.com');
    expect(failure).toMatchObject({ type: 'UNKNOWN', canRetry: true });
  });
});
