/**
 * The errors of the contract: a catalogue of rows, and typed error objects derived from it
 * (docs/contract/errors.md#typed-errors-in-the-client).
 * This file is an entry point of the package and part of the browser bundle: no dependencies, no platform APIs.
 */
import {
  type AnyCode,
  type ClassName,
  type ConstructorArgs,
  catalogue,
  classNameOf,
  type Descendant,
  type ErrorCode,
  type ErrorDetails,
  type ParentCode,
} from './catalogue/catalogue.ts';
import { clientSentences } from './catalogue/client-sentences.ts';
import type { Json, Row } from './catalogue/row.ts';
import { brand, isKnownError } from './error-code.ts';

export {
  type AnyCode,
  type ClassName,
  type ConstructorArgs,
  catalogue,
  type ErrorCode,
  type ErrorDetails,
  type MessageOnlyCode,
  type ParentCode,
} from './catalogue/catalogue.ts';
export type { DetailKinds, Json, Row } from './catalogue/row.ts';

/** An error as it was read from a response; none of its fields is trusted. */
export interface KnownErrorJson {
  readonly code: unknown;
  /** The text, which is `error` on the wire. */
  readonly message?: unknown;
  readonly details?: unknown;
  /** The `x-stack-request-id` of the response. */
  readonly traceId?: string | undefined;
}

/** An error on the wire. */
export type ErrorBody = { code: ErrorCode; details?: Json; error: string };

/** Texts of an error in addition to its details. */
export interface ErrorTexts {
  /** Replaces the default sentence of the code. */
  readonly message?: string | undefined;
  /** The cause; it is never sent. */
  readonly cause?: unknown;
  /** Of an error that was read from a response. */
  readonly traceId?: string | undefined;
}

/**
 * An expected error with a stable code. Created by a class of {@link KnownErrors}, by {@link createError} or by
 * {@link KnownError.fromJson}; identified by its code, with {@link isKnown}.
 */
export class KnownError<Code extends ErrorCode = ErrorCode> extends Error {
  /** `KnownError<CODE>` */
  override readonly name: `KnownError<${Code}>`;
  readonly errorCode: Code;
  /** HTTP status. */
  readonly statusCode: number;
  /** As on the wire, times in milliseconds; undefined for a code without details. */
  readonly details: ErrorDetails<Code>;
  /** The constructor arguments of the code's class. */
  readonly constructorArgs: ConstructorArgs<Code>;
  /** Id of the refused request in the audit log of the server; undefined for an error that was not read from a response. */
  declare readonly traceId?: string;

  constructor(code: Code, details: ErrorDetails<Code>, { message, traceId, ...options }: ErrorTexts = {}) {
    super(message ?? sentenceOf(code, details), options);
    if (traceId !== undefined) this.traceId = traceId;
    this.name = `KnownError<${code}>`;
    this.errorCode = code;
    this.statusCode = catalogue[code].status;
    this.details = details;
    this.constructorArgs = argsFrom(code, details, this.message) as ConstructorArgs<Code>;
  }

  get [brand](): true {
    return true;
  }

  /** The text for users; the same as `message`. */
  get humanReadableMessage(): string {
    return this.message;
  }

  /** Where the documentation describes the error, e.g. `docs/errors.md#password_too_short`. */
  get docsPath(): string {
    return `docs/errors.md#${this.errorCode.toLowerCase()}`;
  }

  /** Whether the value is a known error, of this or of another copy of the package. */
  static isKnownError(value: unknown): value is AnyKnownError {
    return isKnownError(value);
  }

  /**
   * Restores an error that was read from a response. Never throws: an unknown code becomes `UNSUPPORTED_ERROR` with
   * `details.originalErrorCode`, and a missing detail is undefined.
   */
  static fromJson(json: KnownErrorJson): AnyKnownError {
    const { code } = json;
    if (!isErrorCode(code)) return createUnsupportedError(code);
    const message = typeof json.message === 'string' ? json.message : wordsOf(code);
    const details = detailsFrom(code, argsFrom(code, json.details, message));
    return createError(code, details as ErrorDetails<ErrorCode>, { message, traceId: json.traceId }) as AnyKnownError;
  }
}

type Each<Code extends ErrorCode> = Code extends ErrorCode ? KnownError<Code> : never;

/** The errors that a code catches: those of this code and of all codes below it, distinguished by `errorCode`. */
export type KnownErrorOf<Code extends AnyCode> = Each<Descendant<Code>>;

/** A known error of any code; `errorCode` determines the type of `details`. */
export type AnyKnownError = Each<ErrorCode>;

interface CodeStatics<Code extends AnyCode> {
  readonly errorCode: Code;
  /** Whether the value is a known error of this code or of one below it, from any copy of the package. */
  isInstance(value: unknown): value is KnownErrorOf<Code>;
  /** `instanceof` returns the same as {@link isInstance}. */
  [Symbol.hasInstance](value: unknown): value is KnownErrorOf<Code>;
}

interface RaisedClass<Code extends ErrorCode> extends CodeStatics<Code> {
  /** The type of an instance is that of a caught error: a code can be raised itself and be the family of others. */
  new (...args: ConstructorArgs<Code>): KnownErrorOf<Code>;
  /** The constructor's arguments for an error that was read from a response. */
  constructorArgsFromJson(json: KnownErrorJson): ConstructorArgs<Code>;
}

type ParentClass<Code extends ParentCode> = CodeStatics<Code> &
  (abstract new (
    ...args: unknown[]
  ) => KnownErrorOf<Code>);

/** The class of a code. The class of a parent is for catching only. */
export type KnownErrorClass<Code extends AnyCode> = Code extends ErrorCode
  ? RaisedClass<Code>
  : Code extends ParentCode
    ? ParentClass<Code>
    : never;

/** The classes of all codes by name, e.g. `new KnownErrors.PasswordTooShort(8)`. */
export const KnownErrors = /* @__PURE__ */ createClasses();

function createClasses() {
  const codes = Object.keys(catalogue) as AnyCode[];
  return Object.fromEntries(codes.map(code => [classNameOf(code), classOf(code)])) as unknown as {
    readonly [Code in AnyCode as ClassName<Code>]: KnownErrorClass<Code>;
  };
}

function classOf(code: AnyCode) {
  const isInstance = (value: unknown) => isKnown(value, code);

  return class extends KnownError {
    static readonly errorCode = code;
    static readonly isInstance = isInstance;
    // No class extends the class of its parent; without this, `instanceof` would differ from isInstance.
    static override readonly [Symbol.hasInstance] = isInstance;

    static constructorArgsFromJson({ details, message }: KnownErrorJson): unknown[] {
      return argsFrom(code, details, message);
    }

    constructor(...args: unknown[]) {
      const message = rowOf(code)?.args === 'message' ? args[0] : undefined;
      super(code as ErrorCode, detailsFrom(code, args) as ErrorDetails<ErrorCode>, { message: message as string });
    }
  };
}

/**
 * Creates an error of the code's class from its details on the wire. The default message is the sentence that the client
 * has for the code, or the words of the code. The server uses `fail` instead.
 */
export function createError<Code extends ErrorCode>(
  code: Code,
  details: ErrorDetails<Code>,
  texts?: ErrorTexts,
): KnownError<Code> {
  // The class takes its details one by one and no message; the base class takes both.
  const target = (KnownErrors as Record<string, unknown>)[classNameOf(code)];
  return Reflect.construct(KnownError<Code>, [code, details, texts], target as typeof KnownError);
}

/** Whether a value is a code that can be raised. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && rowOf(value)?.status !== undefined;
}

/** Whether a value is a known error of this code or of one below it. */
export function isKnown<Code extends AnyCode>(error: unknown, code: Code): error is KnownErrorOf<Code> {
  let ancestor: string | undefined = isKnownError(error) ? error.errorCode : undefined;
  while (ancestor !== undefined && ancestor !== code) ancestor = rowOf(ancestor)?.parent;
  return ancestor === code;
}

/** An error on the wire: keys in the order of the contract, no `details` when it has none. */
export function toJson(error: KnownError): ErrorBody {
  const { errorCode: code, details, message } = error;
  return details === undefined ? { code, error: message } : { code, details, error: message };
}

function rowOf(code: string): Row | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as AnyCode] : undefined;
}

function createUnsupportedError(code: unknown): AnyKnownError {
  return createError('UNSUPPORTED_ERROR', { originalErrorCode: typeof code === 'string' ? code : 'unknown' });
}

function sentenceOf(code: ErrorCode, details: unknown): string {
  const sentence = (clientSentences as Record<string, string | ((details: never) => string)>)[code];
  return typeof sentence === 'function' ? sentence(details as never) : (sentence ?? wordsOf(code));
}

function wordsOf(code: string): string {
  return `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}.`;
}

function keysOf(code: string): [key: string, kind: string][] {
  const args = rowOf(code)?.args;
  return typeof args === 'object' ? args.map(arg => arg.split(': ') as [string, string]) : [];
}

function argsFrom(code: string, details: unknown, message: unknown): unknown[] {
  const args = rowOf(code)?.args;
  if (args === 'message') return [message];
  if (args === 'json') return [details];
  const values = details as Record<string, unknown> | null | undefined;
  return keysOf(code).map(([key, kind]) => (kind === 'millis|null' ? dateFrom(values?.[key]) : values?.[key]));
}

function dateFrom(millis: unknown): Date | null {
  return typeof millis === 'number' ? new Date(millis) : null;
}

function detailsFrom(code: string, args: readonly unknown[]): unknown {
  if (rowOf(code)?.args === 'json') return args[0];
  const entries = keysOf(code).map(([key], index) => [key, millisFrom(args[index])]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function millisFrom(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
