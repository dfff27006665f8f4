import { describe, expectTypeOf, test } from 'vitest';
import {
  type AnyCode,
  type AnyKnownError,
  type ConstructorArgs,
  type catalogue,
  type ErrorDetails,
  isKnown,
  type Json,
  type KnownError,
  type KnownErrorOf,
  KnownErrors,
  type MessageOnlyCode,
  type ParentCode,
  type toJson,
} from './errors.ts';
import { fail } from './fail.ts';

describe('the types of known errors', () => {
  test('each parent is a code', () => {
    type Row = (typeof catalogue)[AnyCode];
    expectTypeOf<Extract<Row, { parent: string }>['parent']>().toExtend<AnyCode>();
  });

  test('parents are the codes that are never raised', () => {
    expectTypeOf<ParentCode>().toEqualTypeOf<
      | 'PROJECT_AUTHENTICATION_ERROR'
      | 'INVALID_PROJECT_AUTHENTICATION'
      | 'INVALID_ADMIN_ACCESS_TOKEN'
      | 'PROJECT_AUTHENTICATION_REQUIRED'
      | 'SESSION_AUTHENTICATION_ERROR'
      | 'INVALID_SESSION_AUTHENTICATION'
      | 'INVALID_ACCESS_TOKEN'
      | 'REFRESH_TOKEN_ERROR'
      | 'VERIFICATION_ERROR'
      | 'API_KEY_NOT_VALID'
    >();
  });

  test('eight codes take only a message', () => {
    expectTypeOf<MessageOnlyCode>().toEqualTypeOf<
      | 'BODY_PARSING_ERROR'
      | 'PASSKEY_REGISTRATION_FAILED'
      | 'PASSKEY_AUTHENTICATION_FAILED'
      | 'CLI_AUTH_ERROR'
      | 'CLI_AUTH_EXPIRED_ERROR'
      | 'CLI_AUTH_USED_ERROR'
      | 'INVALID_SCOPE'
      | 'INVALID_ACCESS_TYPE'
    >();
  });

  test('details have exact types', () => {
    expectTypeOf<ErrorDetails<'PASSWORD_TOO_SHORT'>>().toEqualTypeOf<{ min_length: number }>();
    expectTypeOf<ErrorDetails<'USER_NOT_FOUND'>>().toEqualTypeOf<undefined>();
    expectTypeOf<ErrorDetails<'BODY_PARSING_ERROR'>>().toEqualTypeOf<undefined>();
    expectTypeOf<ErrorDetails<'INVALID_POLLING_CODE'>>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<ErrorDetails<'ACCESS_TOKEN_EXPIRED'>>().toEqualTypeOf<{ expired_at_millis: number | null }>();
    expectTypeOf<ErrorDetails<'WRONG_PERMISSION_SCOPE'>>().toEqualTypeOf<{
      permission_id: string;
      expected_scope: 'team' | 'project';
      actual_scope: 'team' | 'project' | null;
    }>();
    expectTypeOf<InstanceType<typeof KnownErrors.InsufficientAccessType>['details']>().toEqualTypeOf<{
      actual_access_type: string;
      allowed_access_types: readonly string[];
    }>();
  });

  test('constructors take the details in order, times as dates', () => {
    expectTypeOf<ConstructorParameters<typeof KnownErrors.PasswordTooShort>>().toEqualTypeOf<[number]>();
    expectTypeOf<ConstructorParameters<typeof KnownErrors.AccessTokenExpired>>().toEqualTypeOf<[Date | null]>();
    expectTypeOf<ConstructorParameters<typeof KnownErrors.UserNotFound>>().toEqualTypeOf<[]>();
    expectTypeOf<ConstructorParameters<typeof KnownErrors.CliAuthError>>().toEqualTypeOf<[message?: string]>();
    expectTypeOf<ConstructorArgs<'TEAM_PERMISSION_REQUIRED'>>().toEqualTypeOf<[string, string, string]>();
    // @ts-expect-error the class of a parent cannot be constructed
    () => new KnownErrors.ApiKeyNotValid();
  });

  test('isKnown narrows to the code', () => {
    const error: unknown = undefined;
    if (KnownErrors.PasswordTooShort.isInstance(error)) expectTypeOf(error.details.min_length).toBeNumber();
    if (isKnown(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) expectTypeOf(error.details.attempt_code).toBeString();
  });

  test('isKnown of a parent narrows to the codes below it, distinguished by code', () => {
    const error: unknown = undefined;
    if (isKnown(error, 'PASSWORD_REQUIREMENTS_NOT_MET')) {
      expectTypeOf(error.errorCode).toEqualTypeOf<
        'PASSWORD_REQUIREMENTS_NOT_MET' | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'
      >();
      if (error.errorCode === 'PASSWORD_TOO_LONG') expectTypeOf(error.details.maxLength).toBeNumber();
    }
    if (KnownErrors.SessionAuthenticationError.isInstance(error)) {
      expectTypeOf(error.errorCode).toEqualTypeOf<
        'UNPARSABLE_ACCESS_TOKEN' | 'ACCESS_TOKEN_EXPIRED' | 'INVALID_PROJECT_FOR_ACCESS_TOKEN'
      >();
    }
    if (error instanceof KnownErrors.PasswordRequirementsNotMet) {
      expectTypeOf(error.errorCode).toEqualTypeOf<
        'PASSWORD_REQUIREMENTS_NOT_MET' | 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG'
      >();
    }
  });

  test('the instance type of a class is the type that the class catches, also for a family with a raised code', () => {
    type Instances = { [Name in keyof typeof KnownErrors]: InstanceType<(typeof KnownErrors)[Name]> };
    expectTypeOf<Instances['PasswordRequirementsNotMet']>().toEqualTypeOf<
      KnownErrorOf<'PASSWORD_REQUIREMENTS_NOT_MET'>
    >();
    expectTypeOf<Instances['VerificationCodeError']>().toEqualTypeOf<KnownErrorOf<'VERIFICATION_ERROR'>>();
    expectTypeOf<Instances['UserNotFound']>().toEqualTypeOf<KnownError<'USER_NOT_FOUND'>>();
  });

  test('every error is JSON for the details of ALL_OVERLOADS_FAILED', () => {
    expectTypeOf<ReturnType<typeof toJson>>().toExtend<Json>();
    expectTypeOf<InstanceType<typeof KnownErrors.PasswordTooShort>>().toExtend<AnyKnownError>();
  });

  test('fail requires details exactly when the code has them', () => {
    () => fail('USER_NOT_FOUND');
    () => fail('INVALID_POLLING_CODE');
    () => fail('BODY_PARSING_ERROR', undefined, { message: 'Not UTF-8.' });
    () => fail('PASSWORD_TOO_SHORT', { min_length: 8 });
    // @ts-expect-error details are missing
    () => fail('PASSWORD_TOO_SHORT');
    // @ts-expect-error details of another code
    () => fail('PASSWORD_TOO_SHORT', { maxLength: 8 });
    // @ts-expect-error this code has no details
    () => fail('USER_NOT_FOUND', { user_id: 'x' });
    // @ts-expect-error a parent is not raised
    () => fail('API_KEY_NOT_VALID');
  });

  test('the compiler treats code after fail as unreachable', () => {
    (name: string | null) => {
      if (name === null) fail('USER_NOT_FOUND');
      expectTypeOf(name).toEqualTypeOf<string>();
    };
  });
});
