import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { accountSafety } from './catalogue/account-safety.ts';
import { classNameOf } from './catalogue/catalogue.ts';
import { cliAndApiKeys } from './catalogue/cli-and-api-keys.ts';
import { codesAndEmail } from './catalogue/codes-and-email.ts';
import { general } from './catalogue/general.ts';
import { oauth } from './catalogue/oauth.ts';
import { passkeys } from './catalogue/passkeys.ts';
import { permissionsAndTeams } from './catalogue/permissions-and-teams.ts';
import { projectAuthentication } from './catalogue/project-authentication.ts';
import { sessions } from './catalogue/sessions.ts';
import { signIn } from './catalogue/sign-in.ts';
import {
  type AnyCode,
  catalogue,
  createError,
  type ErrorCode,
  type ErrorDetails,
  isErrorCode,
  isKnown,
  KnownError,
  KnownErrors,
  type Row,
  toJson,
} from './errors.ts';
import { expected, expectedOfContract } from './test/expected-errors.ts';

const anyCodes = Object.keys(catalogue) as AnyCode[];
const codes = anyCodes.filter(isErrorCode);
const raised = expected.filter(([, , status]) => status !== null);
const example = Object.fromEntries(expected.map(([code, , , , details]) => [code, details]));

function exampleOf(code: ErrorCode): KnownError {
  return createError(code, example[code] as ErrorDetails<ErrorCode>, { message: `Text of ${code}` });
}

function read(body: ReturnType<typeof toJson>) {
  return KnownError.fromJson({
    code: body.code,
    message: body.error,
    details: 'details' in body ? body.details : undefined,
  });
}

describe('the catalogue', () => {
  test('has exactly the 107 errors of the contract and those of the extensions', () => {
    expect(expectedOfContract).toHaveLength(107);
    expect(anyCodes.toSorted()).toEqual(expected.map(([code]) => code).toSorted());
  });

  test.each(expected)('%s is of class %s, status %s and below %s', (code, className, status, parent) => {
    const row: Row = catalogue[code as AnyCode];
    expect([classNameOf(code as AnyCode), row.status ?? null, row.parent ?? null]).toEqual([className, status, parent]);
  });

  test('names each parent in a row of its own', () => {
    for (const [, , , parent] of expected) expect(parent === null || parent in catalogue).toBe(true);
  });

  test('has a unique name for each class', () => {
    expect(Object.keys(KnownErrors)).toHaveLength(expected.length);
  });

  test('has each code in one family', () => {
    const families = [
      ...[general, projectAuthentication, sessions, signIn, codesAndEmail],
      ...[passkeys, permissionsAndTeams, oauth, cliAndApiKeys, accountSafety],
    ];
    expect(families.flatMap(family => Object.keys(family)).toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });
});

describe('a known error', () => {
  test('has name, texts, status, details, code and constructor arguments', () => {
    const error = new KnownErrors.PasswordTooShort(8);
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message, human: error.humanReadableMessage }).toEqual({
      name: 'KnownError<PASSWORD_TOO_SHORT>',
      message: 'Password too short. Minimum length is 8.',
      human: 'Password too short. Minimum length is 8.',
      errorCode: 'PASSWORD_TOO_SHORT',
      statusCode: 400,
      details: { min_length: 8 },
      constructorArgs: [8],
    });
  });

  test('takes several details in the order of the contract', () => {
    const error = new KnownErrors.TeamPermissionRequired('team', 'user', '$invite');
    expect(error.details).toEqual({ team_id: 'team', user_id: 'user', permission_id: '$invite' });
  });

  test.each([
    ['ACCESS_TOKEN_EXPIRED', KnownErrors.AccessTokenExpired],
    ['ADMIN_ACCESS_TOKEN_EXPIRED', KnownErrors.AdminAccessTokenExpired],
  ] as const)('%s takes a date or null, and its details are milliseconds', (code, Expired) => {
    expect(new Expired(new Date(5)).details).toEqual({ expired_at_millis: 5 });
    expect(new Expired(null).details).toEqual({ expired_at_millis: null });
    expect(Expired.constructorArgsFromJson({ code, details: { expired_at_millis: 5 } })).toEqual([new Date(5)]);
    expect(KnownError.fromJson({ code, details: { expired_at_millis: null } }).constructorArgs).toEqual([null]);
  });

  test('with only a message has no details', () => {
    const error = new KnownErrors.CliAuthError('Timed out waiting for CLI authentication.');
    expect(error.message).toBe('Timed out waiting for CLI authentication.');
    expect(error.details).toBeUndefined();
    expect(error.constructorArgs).toEqual(['Timed out waiting for CLI authentication.']);
  });

  test('with only a message has its default sentence when none is passed', () => {
    expect(new KnownErrors.CliAuthExpiredError().message).toBe('CLI authentication request expired. Please try again.');
  });

  test('without a sentence in the client has the words of its code as message', () => {
    expect(new KnownErrors.UserNotFound().message).toBe('User not found.');
  });

  test('keeps its cause, which is not part of the JSON', () => {
    const cause = new Error('NotAllowedError');
    const error = createError('PASSKEY_REGISTRATION_FAILED', undefined, { cause });
    expect(error.cause).toBe(cause);
    expect(Object.keys(toJson(error))).toEqual(['code', 'error']);
  });

  test.each(raised)('%s can be constructed again from its own arguments', (code, className) => {
    const error = exampleOf(code as ErrorCode);
    const Class: unknown = KnownErrors[className as keyof typeof KnownErrors];
    const again: KnownError = Reflect.construct(Class as typeof KnownError, error.constructorArgs);
    expect(again.details).toEqual(error.details);
    expect(again.constructorArgs).toEqual(error.constructorArgs);
    expect(again).toBeInstanceOf(Class);
  });
});

describe('the JSON of a known error', () => {
  test('has the keys code, details, error, in this order', () => {
    expect(JSON.stringify(toJson(new KnownErrors.PasswordTooLong(70)))).toBe(
      '{"code":"PASSWORD_TOO_LONG","details":{"maxLength":70},"error":"Password too long. Maximum length is 70."}',
    );
  });

  test('has no key details when the error has none', () => {
    expect(Object.keys(toJson(new KnownErrors.UserNotFound()))).toEqual(['code', 'error']);
    expect(Object.keys(toJson(new KnownErrors.InvalidPollingCodeError()))).toEqual(['code', 'error']);
  });

  test('keeps a null inside the details', () => {
    expect(toJson(new KnownErrors.AccessTokenExpired(null))).toMatchObject({ details: { expired_at_millis: null } });
  });

  test('of a polling code error may have any details', () => {
    expect(toJson(new KnownErrors.InvalidPollingCodeError({ seen: [1] }))).toMatchObject({ details: { seen: [1] } });
  });

  test.each(raised)('of %s is read back as the same error', (code, className, status, _parent, details) => {
    const error = exampleOf(code as ErrorCode);
    const arrived = read(JSON.parse(JSON.stringify(toJson(error))));
    expect(toJson(arrived)).toEqual({ code, ...(details && { details }), error: `Text of ${code}` });
    expect({ ...arrived }).toEqual({ ...error });
    expect(arrived.statusCode).toBe(status);
    const Class: { isInstance(value: unknown): boolean; prototype?: unknown } =
      KnownErrors[className as keyof typeof KnownErrors];
    expect(Class.isInstance(arrived)).toBe(true);
    expect(Object.getPrototypeOf(arrived)).toBe(Class.prototype);
  });

  test.each([
    'BODY_PARSING_ERROR',
    'PASSKEY_REGISTRATION_FAILED',
    'PASSKEY_AUTHENTICATION_FAILED',
    'CLI_AUTH_ERROR',
    'CLI_AUTH_EXPIRED_ERROR',
    'CLI_AUTH_USED_ERROR',
    'INVALID_SCOPE',
    'INVALID_ACCESS_TYPE',
  ] as const)('%s arrives with the text of the answer, with or without details', code => {
    for (const details of [undefined, { message: 'Other text' }]) {
      const error = KnownError.fromJson({ code, message: 'Text of the answer', details });
      expect(error.message).toBe('Text of the answer');
      expect(error.details).toBeUndefined();
      expect(error.constructorArgs).toEqual(['Text of the answer']);
    }
  });

  test('with an unknown code becomes UNSUPPORTED_ERROR, whose message names the code and suggests an update', () => {
    const error = KnownError.fromJson({ code: 'FROM_THE_FUTURE', message: 'Later.', details: { year: 2031 } });
    expect(error.errorCode).toBe('UNSUPPORTED_ERROR');
    expect(error.details).toEqual({ originalErrorCode: 'FROM_THE_FUTURE' });
    expect(error.message).toMatch(/FROM_THE_FUTURE.*updat.*SDK/i);
    expect(KnownErrors.UnsupportedError.isInstance(error)).toBe(true);
  });

  test.each(['constructor', '__proto__', 'toString', '', 'INVALID_ACCESS_TOKEN'])('%s is not a code', code => {
    expect(KnownError.fromJson({ code }).details).toEqual({ originalErrorCode: code });
  });

  test('of any form is read without an exception', () => {
    const code = fc.oneof(fc.constantFrom(...anyCodes), fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(code, fc.jsonValue(), fc.option(fc.jsonValue(), { nil: undefined }), (code, message, details) => {
        const error = KnownError.fromJson({ code, message, details });
        expect(isErrorCode(error.errorCode)).toBe(true);
        expect(typeof error.message).toBe('string');
        expect(toJson(error).code).toBe(error.errorCode);
      }),
    );
  });
});

describe('isInstance and isKnown', () => {
  const chainOf = new Map(expected.map(([code, , , parent]) => [code, parent]));
  const isBelow = (code: string, ancestor: string): boolean => {
    if (code === ancestor) return true;
    const parent = chainOf.get(code);
    return parent != null && isBelow(parent, ancestor);
  };

  test.each(expected)('%s matches itself and the codes below it, and no others', (ancestor, className) => {
    const Class = KnownErrors[className as keyof typeof KnownErrors];
    for (const code of codes) {
      const error = exampleOf(code);
      const answers = [Class.isInstance(error), error instanceof Class, isKnown(error, ancestor as AnyCode)];
      const caught = isBelow(code, ancestor);
      expect(answers, code).toEqual([caught, caught, caught]);
    }
  });

  test.each([undefined, null, 'USER_NOT_FOUND', 404, new Error('User not found.'), { errorCode: 'USER_NOT_FOUND' }])(
    '%o is not a known error',
    value => {
      expect(KnownError.isKnownError(value)).toBe(false);
      expect(KnownErrors.UserNotFound.isInstance(value)).toBe(false);
      expect(isKnown(value, 'USER_NOT_FOUND')).toBe(false);
    },
  );

  test('an error of another copy of the package is recognised', async () => {
    vi.resetModules();
    const other = await import('./errors.ts');
    const error = new other.KnownErrors.ApiKeyRevoked();
    expect(other.KnownError).not.toBe(KnownError);
    expect(KnownError.isKnownError(error)).toBe(true);
    expect(KnownErrors.ApiKeyRevoked.isInstance(error)).toBe(true);
    expect(KnownErrors.ApiKeyNotValid.isInstance(error)).toBe(true);
    expect(KnownErrors.ApiKeyExpired.isInstance(error)).toBe(false);
  });
});
