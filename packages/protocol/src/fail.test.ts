import { describe, expect, test } from 'vitest';
import { type ErrorCode, type ErrorDetails, KnownError, KnownErrors, toJson } from './errors.ts';
import { fail } from './fail.ts';
import { sentences } from './sentences.ts';
import { expected } from './test/expected-errors.ts';

function caught(act: () => never): KnownError {
  try {
    return act();
  } catch (error) {
    if (KnownError.isKnownError(error)) return error;
    throw error;
  }
}

const raised = expected.filter(([, , status]) => status !== null);

describe('fail', () => {
  test.each(raised)(
    '%s is raised with its class, status and a whole sentence',
    (code, className, status, _, details) => {
      const error = caught(() => fail(code as ErrorCode, details as ErrorDetails<ErrorCode>));
      expect(toJson(error)).toEqual({
        code,
        ...(details && { details }),
        error: expect.stringMatching(/\S/),
      });
      expect(error.statusCode).toBe(status);
      expect(error.message).not.toMatch(/undefined|null|NaN|\[object/);
      expect(KnownErrors[className as keyof typeof KnownErrors].isInstance(error)).toBe(true);
    },
  );

  test('uses the message of the caller for an error with only a message', () => {
    const error = caught(() => fail('BODY_PARSING_ERROR', undefined, { message: 'The body is not UTF-8.' }));
    expect(error.message).toBe('The body is not UTF-8.');
    expect(error.details).toBeUndefined();
  });

  test('keeps its cause', () => {
    const cause = new SyntaxError('Unexpected token');
    const error = caught(() => fail('BODY_PARSING_ERROR', undefined, { cause }));
    expect(error.cause).toBe(cause);
    expect(error.message).toBe(sentences.BODY_PARSING_ERROR);
  });
});

describe('sentences', () => {
  test('exist for each code that can be raised', () => {
    expect(Object.keys(sentences).toSorted()).toEqual(raised.map(([code]) => code).toSorted());
  });

  test.each([
    [() => fail('EMAIL_PASSWORD_MISMATCH'), 'Wrong e-mail or password.'],
    [() => fail('PASSWORD_CONFIRMATION_MISMATCH'), 'Passwords do not match.'],
    [() => fail('PASSWORD_TOO_SHORT', { min_length: 8 }), 'Password too short. Minimum length is 8.'],
    [() => fail('PASSWORD_TOO_LONG', { maxLength: 70 }), 'Password too long. Maximum length is 70.'],
    [() => fail('CLI_AUTH_EXPIRED_ERROR'), 'CLI authentication request expired. Please try again.'],
    [() => fail('CLI_AUTH_USED_ERROR'), 'This authentication token has already been used.'],
    [() => fail('SCHEMA_ERROR', { message: 'POST /x\n- a' }), 'POST /x\n- a'],
  ])('%s has the sentence that the contract quotes: %s', (act, sentence) => {
    expect(caught(act).message).toBe(sentence);
  });

  test.each([
    [() => fail('REDIRECT_URL_NOT_WHITELISTED'), 'Redirect URL not whitelisted'],
    [
      () => fail('PROJECT_PERMISSION_REQUIRED', { user_id: 'u1', permission_id: 'p1' }),
      'User u1 does not have permission p1',
    ],
    [
      () => fail('TEAM_PERMISSION_REQUIRED', { team_id: 't1', user_id: 'u1', permission_id: 'p1' }),
      'User u1 does not have permission p1',
    ],
  ])('%s begins as the contract quotes: %s', (act, beginning) => {
    expect(caught(act).message.startsWith(beginning)).toBe(true);
  });

  test.each(['ACCESS_TOKEN_EXPIRED', 'ADMIN_ACCESS_TOKEN_EXPIRED'] as const)('%s adds the time when known', code => {
    expect(caught(() => fail(code, { expired_at_millis: 5 })).message).toContain('1970-01-01T00:00:00.005Z');
    expect(caught(() => fail(code, { expired_at_millis: null })).message).not.toMatch(/null|\(/);
  });
});
