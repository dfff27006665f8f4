/**
 * Tells known errors apart by their own code, without the catalogue. Pages compare codes and never need more.
 * This file is an entry point of the package and part of the browser bundle: no dependencies, no platform APIs.
 */
import type { ErrorCode } from './catalogue/catalogue.ts';
import type { AnyKnownError } from './errors.ts';

/** Marks known errors. Registered globally, so that errors of another copy of this package have the same brand. */
export const brand = Symbol.for('tessera.known-error');

/** Whether the value is a known error, of this or of another copy of the package. */
export function isKnownError(value: unknown): value is AnyKnownError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** Whether the value is a known error with one of these codes. Unlike `isKnown` it does not accept codes below them. */
export function hasCode<Code extends ErrorCode>(
  value: unknown,
  ...codes: readonly Code[]
): value is Extract<AnyKnownError, { readonly errorCode: Code }> {
  return isKnownError(value) && (codes as readonly ErrorCode[]).includes(value.errorCode);
}
