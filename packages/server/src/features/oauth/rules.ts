import {
  decideSignUp,
  displayNameMaxLength,
  fail,
  isEmail,
  isTrustedUrl,
  oauthProviderNames,
  parseUrl,
  profileImageMaxLength,
  providerAccountIdMaxLength,
} from '@tessera/protocol';
import type { ProjectConfig } from '../../core/project-config.ts';
import { refuse } from '../../http/refusal.ts';
import { normalizedEmail } from '../accounts/users/primary-email/rules.ts';
import { assertAddressAllowed } from '../projects/rules.ts';
import type { RawProfile } from './providers/profiles.ts';

/**
 * Why a request to a provider failed: the user denied it; the code or token is not valid; the client is unknown; a
 * scope is not allowed; the email addresses are hidden; the account has none; the response is malformed; or there is none.
 */
export type ProviderFailureReason =
  | 'denied'
  | 'grant'
  | 'client'
  | 'scope'
  | 'hiddenEmail'
  | 'noEmail'
  | 'answer'
  | 'unreachable';

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** The explanation of the provider. Its content is not known, so it is not logged. */
  readonly description: string | undefined;

  constructor(
    readonly reason: ProviderFailureReason,
    message: string,
    { description, ...options }: ErrorOptions & { description?: string | undefined } = {},
  ) {
    super(message, options);
    this.description = description;
  }
}

/** A provider account, in the form that is stored. */
export interface Profile {
  readonly accountId: string;
  readonly displayName: string | null;
  readonly imageUrl: string | null;
  /** As the provider spells it; null when there is none, or it is no valid address. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** @throws ProviderFailure for an account without an id */
export function cleanProfile(raw: RawProfile): Profile {
  const accountId = removeUnstorable(raw.accountId);
  if (accountId === '' || accountId.length > providerAccountIdMaxLength) {
    throw new ProviderFailure('answer', 'the provider names no account');
  }
  // Checked before it is lower-cased, which makes an ASCII `k` of the Kelvin sign: then it would be another address.
  const email = removeUnstorable(raw.email ?? '').trim();
  const imageUrl = removeUnstorable(raw.imageUrl ?? '');
  return {
    accountId,
    displayName: removeUnstorable(raw.displayName ?? '').slice(0, displayNameMaxLength) || null,
    imageUrl: isImageUrl(imageUrl) ? imageUrl : null,
    email: isEmail(email) ? email : null,
    isEmailVerified: raw.isEmailVerified,
  };
}

/** Removes characters that PostgreSQL does not store: NUL and lone surrogates. */
export function removeUnstorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function isImageUrl(text: string): boolean {
  return text.length <= profileImageMaxLength && /^https?:\/\/\S+$/.test(text) && parseUrl(text) !== undefined;
}

/** The name of a provider for people. */
export function providerName(providerId: string): string {
  return Object.entries(oauthProviderNames).find(([id]) => id === providerId)?.[1] ?? providerId;
}

/** Splits a blank-separated list of scopes. */
export function scopesOf(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(' ').filter(scope => scope !== ''))];
}

/**
 * Why a browser is sent to a provider. `sessionId` is the session whose access token started the flow: a link, or the
 * upgrade of an anonymous user, is refused when that session has ended.
 */
export type FlowPurpose =
  | { readonly type: 'authenticate'; readonly anonymousUserId: string | null; readonly sessionId: string | null }
  | { readonly type: 'link'; readonly userId: string; readonly sessionId: string | null };

/** What the database knows about a provider account. */
export interface AccountFacts {
  /** The user who has the account; undefined when the account is new. */
  readonly ownerId: string | undefined;
  /** The user who signs in with the address of the profile; undefined when there is no such user or no address. */
  readonly emailOwner: { readonly userId: string; readonly isVerified: boolean } | undefined;
  /** The accounts at this provider that the linking user has already. */
  readonly linkedAccountIds: readonly string[];
}

export type AccountPlan =
  | { readonly kind: 'use'; readonly userId: string }
  | { readonly kind: 'attach'; readonly userId: string }
  | { readonly kind: 'create'; readonly usesEmailForAuth: boolean };

/**
 * Decides which user a provider account signs in (docs/contract/oauth.md#account-decision): its owner, an existing user
 * to whom it is attached, or a new user (control 54).
 *
 * @throws the errors of docs/contract/oauth.md#callback-errors about accounts
 */
export function planAccount(
  purpose: FlowPurpose,
  profile: Profile,
  facts: AccountFacts,
  config: Pick<ProjectConfig, 'signUpEnabled' | 'signUpRestrictions' | 'oauthAccountMergeStrategy'>,
): AccountPlan {
  if (purpose.type === 'link') return planLink(purpose.userId, profile, facts);
  if (facts.ownerId !== undefined) return { kind: 'use', userId: facts.ownerId };
  if (!config.signUpEnabled) fail('SIGN_UP_NOT_ENABLED');
  if (facts.emailOwner === undefined || isOwnUnverified(purpose, facts.emailOwner)) {
    return planNewUser(profile, true, config);
  }
  return planMerge(facts.emailOwner, profile, config);
}

/** An anonymous user may sign up with an own address (docs/contract/sign-in-methods.md#anonymous-upgrade). */
function isOwnUnverified(
  { anonymousUserId }: Extract<FlowPurpose, { type: 'authenticate' }>,
  owner: NonNullable<AccountFacts['emailOwner']>,
): boolean {
  return !owner.isVerified && owner.userId === anonymousUserId;
}

function planNewUser(
  profile: Profile,
  usesEmailForAuth: boolean,
  config: Pick<ProjectConfig, 'signUpRestrictions'>,
): AccountPlan {
  assertAddressAllowed(addressOf(profile), config);
  return { kind: 'create', usesEmailForAuth };
}

/** Whether the project accepts new accounts with the address of a profile. */
export function acceptsNewAccount(
  profile: Profile,
  { signUpEnabled, signUpRestrictions }: Pick<ProjectConfig, 'signUpEnabled' | 'signUpRestrictions'>,
): boolean {
  return signUpEnabled && decideSignUp(addressOf(profile), signUpRestrictions).isAllowed;
}

function addressOf({ email }: Profile): string | null {
  return email === null ? null : normalizedEmail(email);
}

function planLink(userId: string, profile: Profile, { ownerId, linkedAccountIds }: AccountFacts): AccountPlan {
  if (linkedAccountIds.some(id => id !== profile.accountId)) fail('USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION');
  if (ownerId === undefined) return { kind: 'attach', userId };
  return ownerId === userId ? { kind: 'use', userId } : fail('OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER');
}

/** docs/contract/oauth.md#merge-strategies. Both sides must have verified the address (control 55). */
function planMerge(
  owner: { readonly userId: string; readonly isVerified: boolean },
  profile: Profile,
  config: Pick<ProjectConfig, 'signUpRestrictions' | 'oauthAccountMergeStrategy'>,
): AccountPlan {
  const strategy = config.oauthAccountMergeStrategy;
  if (strategy === 'allow_duplicates') return planNewUser(profile, false, config);
  const mayMerge = strategy === 'link_method' && owner.isVerified && profile.isEmailVerified;
  if (mayMerge) return { kind: 'attach', userId: owner.userId };
  fail('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE', {
    type: 'email',
    contact_channel_value: addressOf(profile),
  });
}

/** Checked before users are created or signed in (docs/contract/oauth.md#callback-errors). @throws a text 400 */
export function assertMayReturn(
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope: string },
  config: Pick<ProjectConfig, 'allowLocalhost' | 'domains'>,
): void {
  if (!isTrustedUrl(redirectUri, config))
    refuse(400, 'The redirect URI is not one of the trusted domains of the project.');
  if (scope !== 'legacy') refuse(400, 'The only scope there is is "legacy".');
}

/** A parameter of an error URL that the server fills in: the sign-in methods of the account that has the address. */
export const accountMethodsParameter = 'account_methods';

/** A parameter of an error URL that the server fills in: the id of the request that failed. */
export const traceIdParameter = 'trace_id';

interface AccountMethods {
  readonly hasPassword: boolean;
  readonly otpAuthEnabled: boolean;
  readonly hasPasskey: boolean;
  readonly oauthAccounts: readonly { readonly id: string }[];
}

/** The sign-in methods of an account that work in the project: `password`, `code`, `passkey`, and ids of providers. */
export function accountMethods(
  user: AccountMethods,
  config: Pick<ProjectConfig, 'credentialEnabled' | 'magicLinkEnabled' | 'passkeyEnabled' | 'oauthProviders'>,
): string[] {
  const providers = user.oauthAccounts
    .map(({ id }) => id)
    .filter(id => config.oauthProviders.some(one => one.id === id));
  return [
    ...(user.hasPassword && config.credentialEnabled ? ['password'] : []),
    ...(user.otpAuthEnabled && config.magicLinkEnabled ? ['code'] : []),
    ...(user.hasPasskey && config.passkeyEnabled ? ['passkey'] : []),
    ...new Set(providers),
  ];
}

const withScheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * The fault of the redirect URI of a token call (docs/contract/oauth.md#code-exchange); undefined when it is right. The
 * project may have removed its domain since the callback.
 */
export function redirectProblem(
  given: string | undefined,
  stored: string,
  config: Pick<ProjectConfig, 'allowLocalhost' | 'domains'>,
): 'malformed' | 'refused' | undefined {
  if (given === undefined || !withScheme.test(given)) return 'malformed';
  return given === stored && isTrustedUrl(stored, config) ? undefined : 'refused';
}

/** Adds parameters to a URL. They replace existing parameters of the same name. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  // As text: parsing and serializing would turn `%20` into `+`, and lose bytes that are not UTF-8.
  const others = url.search
    .slice(1)
    .split('&')
    .filter(
      part => part !== '' && ![...new URLSearchParams(part).keys()].some(name => Object.hasOwn(parameters, name)),
    );
  url.search = [...others, new URLSearchParams(parameters).toString()].join('&');
  return url.href;
}

const sentences: Readonly<Record<Exclude<ProviderFailureReason, 'denied'>, string>> = {
  grant: 'The provider does not know this sign-in any more. Please begin again.',
  client: 'The provider does not accept the client id and secret that are configured for it.',
  scope: 'The provider does not allow this app what it asked for.',
  hiddenEmail:
    'The provider does not show the email addresses of the account. Its app needs the permission to read them.',
  noEmail: 'The account at the provider has no email address, and one is needed.',
  answer: 'The provider did not complete the sign-in. Please begin again.',
  unreachable: 'The provider did not answer. Please try again later.',
};

/**
 * Refuses with the error of a provider failure (docs/contract/oauth.md#callback-errors).
 *
 * @throws OAUTH_PROVIDER_ACCESS_DENIED, or a text 400
 */
export function refuseFailure({ reason }: ProviderFailure): never {
  if (reason === 'denied') fail('OAUTH_PROVIDER_ACCESS_DENIED');
  refuse(400, sentences[reason]);
}
