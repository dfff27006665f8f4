import { accountSafety } from './account-safety.ts';
import { cliAndApiKeys } from './cli-and-api-keys.ts';
import { codesAndEmail } from './codes-and-email.ts';
import { general } from './general.ts';
import { oauth } from './oauth.ts';
import { passkeys } from './passkeys.ts';
import { permissionsAndTeams } from './permissions-and-teams.ts';
import { projectAuthentication } from './project-authentication.ts';
import type { DetailKinds, Json, Row } from './row.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';

/** All errors by code, parents included: those of docs/contract/errors.md#catalogue, and the extension catalogue. */
export const catalogue = /* @__PURE__ */ (() => ({
  ...general,
  ...projectAuthentication,
  ...sessions,
  ...signIn,
  ...codesAndEmail,
  ...passkeys,
  ...permissionsAndTeams,
  ...oauth,
  ...cliAndApiKeys,
  ...accountSafety,
}))();

type Rows = typeof catalogue;
/** Every code of the catalogue, parents included. */
export type AnyCode = keyof Rows;

/** Codes that can be raised and can travel. */
export type ErrorCode = { [Code in AnyCode]: Rows[Code] extends { status: number } ? Code : never }[AnyCode];

/** Codes that exist only to catch their descendants. */
export type ParentCode = Exclude<AnyCode, ErrorCode>;

type Chain<Code extends AnyCode> =
  | Code
  | (Rows[Code] extends { parent: infer Parent extends AnyCode } ? Chain<Parent> : never);

/** The code itself, if it can be raised, and all codes below it. */
export type Descendant<Code extends AnyCode> = {
  [Raised in ErrorCode]: Code extends Chain<Raised> ? Raised : never;
}[ErrorCode];

type ArgsOf<Code extends AnyCode> = Rows[Code] extends { args: infer Args } ? Args : readonly [];
type Key<Arg> = Arg extends `${infer Name}: ${string}` ? Name : never;
type Kind<Arg> = Arg extends `${string}: ${infer Word extends keyof DetailKinds}` ? Word : never;
type Argument<Word extends keyof DetailKinds> = Word extends 'millis|null' ? Date | null : DetailKinds[Word];

type DetailsFrom<Args> = Args extends 'json'
  ? Json | undefined
  : Args extends 'message' | readonly []
    ? undefined
    : Args extends readonly string[]
      ? { [Arg in Args[number] as Key<Arg>]: DetailKinds[Kind<Arg>] }
      : never;

type ArgumentsFrom<Args> = Args extends 'json'
  ? [details?: Json]
  : Args extends 'message'
    ? [message?: string]
    : Args extends readonly string[]
      ? { -readonly [Index in keyof Args]: Argument<Kind<Args[Index]>> }
      : never;

/** The details of an error on the wire; `undefined` for a code without details. */
export type ErrorDetails<Code extends ErrorCode> = Code extends ErrorCode ? DetailsFrom<ArgsOf<Code>> : never;

/** The constructor arguments of a code's class: its details in order, times as dates; or only a message. */
export type ConstructorArgs<Code extends ErrorCode> = Code extends ErrorCode ? ArgumentsFrom<ArgsOf<Code>> : never;

/** Codes that are raised with a custom sentence instead of details, e.g. `BODY_PARSING_ERROR`. */
export type MessageOnlyCode = {
  [Code in ErrorCode]: Rows[Code] extends { args: 'message' } ? Code : never;
}[ErrorCode];

/** The message of each code: a sentence, or a function of the details. */
export type Sentences = {
  [Code in ErrorCode]: string | ((details: ErrorDetails<Code>) => string);
};

type Word<Upper extends string> = Upper extends keyof typeof spellings
  ? (typeof spellings)[Upper]
  : Capitalize<Lowercase<Upper>>;
type Pascal<Code extends string> = Code extends `${infer First}_${infer Rest}`
  ? `${Word<First>}${Pascal<Rest>}`
  : Word<Code>;

/** Class name of a code, e.g. `PasswordTooShort`. */
export type ClassName<Code extends AnyCode> = Rows[Code] extends { name: infer Name extends string }
  ? Name
  : Pascal<Code>;

const spellings = { OAUTH: 'OAuth', WEBAUTHN: 'WebAuthn' } as const;

function spell(word: string): string {
  return (spellings as Record<string, string>)[word] ?? word.charAt(0) + word.slice(1).toLowerCase();
}

/** Class name of a code: that of the row, or the code in Pascal case. */
export function classNameOf<Code extends AnyCode>(code: Code): ClassName<Code> {
  const row: Row = catalogue[code];
  return (row.name ?? code.split('_').map(spell).join('')) as ClassName<Code>;
}
