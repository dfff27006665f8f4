import * as z from 'zod';
import type { Json } from '../catalogue/row.ts';
import {
  codeLength,
  displayNameMaxLength,
  emailMaxLength,
  passwordMaxLength,
  passwordMinLength,
  profileImageMaxLength,
  totpSecretMaxBytes,
  totpSecretMinBytes,
  typedCodeLength,
  urlMaxLength,
} from '../limits.ts';
import { parseUrl } from '../urls.ts';
import { isEmail, isStrictEmail } from './email-syntax.ts';

/**
 * The field types of the contract. Messages are predicates: validation adds the path in front
 * ("body.email must be a valid email"), in the forms of docs/contract/envelope.md#validation.
 */

/** Versions 1 to 5 and the nil UUID, any letter case. All patterns here are linear (control 85). */
const uuidPattern =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12})$/i;

/** A UUID of the versions 1 to 5, or the nil UUID, in any letter case. */
export function isUuid(value: string): boolean {
  return uuidPattern.test(value);
}

export const uuid = z
  .string()
  .regex(uuidPattern, 'must be a valid UUID')
  .toLowerCase()
  .meta({ format: 'uuid', example: '3241a285-8329-4d69-8f3d-316e08cf140c' });

/**
 * A user id, or `me` for the user of the access token. The pipeline recognises it by identity
 * (docs/contract/envelope.md#the-user-of-the-request).
 */
export const userIdOrMe = z
  .string()
  .refine(value => value === 'me' || isUuid(value), 'must be a valid UUID or "me"')
  .meta({ description: 'A user id, or `me` for the user of the access token.', example: 'me' });

/** A UUID, or `internal`: no other value is the id of a project. */
export function isProjectId(value: string): boolean {
  return value === 'internal' || isUuid(value);
}

/** A project id: a UUID, or `internal`. */
export const projectId = z
  .string()
  .refine(isProjectId, 'must be a valid UUID or "internal"')
  .meta({ example: 'internal' });

/** *plain* format of docs/contract/envelope.md#validation: accepts dotless domains and the empty string. */
export const email = z
  .string()
  .refine(value => value === '' || isEmail(value), 'must be a valid email')
  .meta({ format: 'email', maxLength: emailMaxLength, example: 'ada@example.com' });

/** An address that is stored: *plain*, but not empty. */
export const primaryEmail = z
  .string()
  .refine(isEmail, 'must be a valid email')
  .meta({ format: 'email', maxLength: emailMaxLength, example: 'ada@example.com' });

/** *strict* format of docs/contract/envelope.md#validation, for addresses that open a new account or receive a code. */
export const strictEmail = z
  .string()
  .refine(isStrictEmail, 'must be a valid email')
  .meta({ format: 'email', maxLength: emailMaxLength, example: 'ada@example.com' });

const absoluteUrl = z
  .string()
  .superRefine((value, context) => {
    if (parseUrl(value) === undefined) context.addIssue({ code: 'custom', message: 'is not a valid URL' });
    if (/\s/.test(value)) context.addIssue({ code: 'custom', message: 'contains spaces' });
  })
  .meta({ format: 'uri', example: 'https://example.com/handler/email-verification' });

/**
 * Any absolute URL of the WHATWG standard without spaces (docs/contract/envelope.md#validation). The URL of a callback is
 * part of an email, twice.
 */
export const url = absoluteUrl.max(urlMaxLength);

/**
 * Any password field: one above the maximum is refused everywhere, one below the minimum only for new passwords (by
 * rule). The maximum is in UTF-16 units (docs/contract/decisions.md#controls-and-the-contract); `z.string().max` counts
 * code points.
 */
export const password = z
  .string()
  .refine(value => value.length <= passwordMaxLength, `must be at most ${passwordMaxLength} characters`)
  .meta({ format: 'password', maxLength: passwordMaxLength, example: 'correct horse battery' });

/** A password of a new account at an endpoint of ours, whose schema checks the minimum length too. */
export const newPassword = password.refine(
  value => value.length >= passwordMinLength,
  `must be at least ${passwordMinLength} characters`,
);

/** A one-time code. Upper case is accepted and lower-cased before the lookup. */
export const code = z.string().length(codeLength).meta({ example: 'y3w6nq8r1c5m7t9b2d4f6h8k0p3s5v7x9z1a2c4e6g8jm' });

/** Completes the typed code of an email (docs/contract/decisions.md#verification-by-code). */
export const codeNonce = z.string().meta({
  description: `The code is the ${typedCodeLength} characters of the email, followed by this value.`,
});

/** `""` is valid because it is stored as null. */
export const displayName = z.string().max(displayNameMaxLength).meta({ example: 'Ada Lovelace' });

/**
 * Any URL, data URLs included (docs/contract/users.md#profile-image); the client level has an additional rule.
 */
export const profileImageUrl = absoluteUrl.max(profileImageMaxLength).nullable();

/** Standard base64 with padding, at least one byte. */
export const base64 = z
  .string()
  .min(1)
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be valid base64')
  .meta({ format: 'byte' });

/** 10 bytes to 240: base64 has 4 characters for each started group of 3 bytes. */
export const totpSecret = base64
  .min(4 * Math.ceil(totpSecretMinBytes / 3), `must have at least ${totpSecretMinBytes} bytes`)
  .max(4 * (totpSecretMaxBytes / 3), `must have at most ${totpSecretMaxBytes} bytes`)
  .meta({ format: 'byte' });

/** `{milliseconds}.{id}` of the first row of a page. */
export const pageCursor = z
  .string()
  .regex(/^-?\d{1,16}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a cursor that an earlier page gave');

/** Milliseconds since the epoch, within the range of a JavaScript date (ECMA-262, section 21.4.1.1). */
export const millis = z
  .number()
  .int()
  .min(-8.64e15)
  .max(8.64e15)
  .meta({ description: 'Milliseconds since the epoch.', example: 1_752_000_000_000 });

/**
 * Any JSON value that is present. Bodies are already parsed, with limits of depth and size. A number beyond the range of a
 * double, such as 1e400, would be stored as null, so it is refused.
 */
export const json = z
  .custom<Json>(value => value !== undefined, 'must be defined')
  .refine(hasFiniteNumbers, 'must not contain a number beyond the range of a double')
  .meta({ description: 'Any JSON value.' });

/** The query of an endpoint that takes none: a parameter is refused. */
export const noQuery = z.strictObject({});

export const success = z.strictObject({ success: z.literal(true) });

/** A complete list without pages (docs/contract/envelope.md#list-envelopes). */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ items: z.array(item), is_paginated: z.literal(false) });
}

/** A page of a list; `next_cursor` is null on the last page (docs/contract/envelope.md#list-envelopes). */
export function pageOf<Item extends z.ZodType, Cursor extends z.ZodType>(item: Item, cursor: Cursor) {
  return z.strictObject({
    items: z.array(item),
    is_paginated: z.literal(true),
    pagination: z.strictObject({ next_cursor: cursor.nullable() }),
  });
}

/** The response of a sign-in (docs/contract/sign-in-methods.md). */
export const signedIn = z.strictObject({ access_token: z.string(), refresh_token: z.string(), user_id: uuid });

/** The response of a code check; never false (docs/contract/sign-in-methods.md#code-checks). */
export const codeIsValid = z.strictObject({ is_code_valid: z.literal(true) });

/** The errors of a one-time code, in the order of the checks. */
export const codeErrors = [
  'VERIFICATION_CODE_NOT_FOUND',
  'VERIFICATION_CODE_EXPIRED',
  'VERIFICATION_CODE_ALREADY_USED',
  'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
] as const;

/** The errors of a change to how a user signs in: in an old session, and by an anonymous user while sign-up is off. */
export const credentialErrors = ['REAUTHENTICATION_REQUIRED', 'SIGN_UP_NOT_ENABLED'] as const;

function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasFiniteNumbers);
}
