import {
  type ClientApp,
  type CurrentUser,
  type HandlerUrls,
  internals,
  type Project,
  type RedirectMethod,
  RequestError,
  type Result,
} from '@tessera/client';
import type { Reader } from '@tessera/client/internals';
import { vi } from 'vitest';
import { deferred } from './deferred.ts';

/** A reader whose value a test sets. */
export interface SetReader<Value> extends Reader<Value> {
  set(data: Value): void;
  fail(error: unknown): void;
  forget(): void;
}

export function setReader<Value>(initial?: Value): SetReader<Value> {
  let result: Result<Value> | undefined = initial === undefined ? undefined : { status: 'ok', data: initial };
  const listeners = new Set<() => void>();
  let pending = deferred<Result<Value>>();

  function put(next: Result<Value> | undefined) {
    result = next;
    if (next !== undefined) {
      pending.resolve(next);
      pending = deferred();
    }
    for (const listener of [...listeners]) listener();
  }

  return {
    peek: () => result,
    promise: () => (result === undefined ? pending.promise : Promise.resolve(result)),
    refresh: vi.fn(async () => result ?? pending.promise),
    forgetFailure: () => {
      if (result?.status === 'error') put(undefined);
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: data => put({ status: 'ok', data }),
    fail: error => put({ status: 'error', error }),
    forget: () => put(undefined),
  };
}

export function project(config: Partial<Project['config']> = {}): Project {
  return {
    id: 'p',
    displayName: 'Shelfmark',
    config: {
      signUpEnabled: true,
      credentialEnabled: true,
      magicLinkEnabled: false,
      passkeyEnabled: false,
      clientTeamCreationEnabled: false,
      clientUserDeletionEnabled: false,
      allowUserApiKeys: false,
      allowTeamApiKeys: false,
      oauthProviders: [],
      ...config,
    },
  };
}

/** Readers of an object, by method name. */
export type FakeReads = Readonly<Record<string, Reader<unknown>>>;

/** The symbol property of client objects, for objects that a test creates. */
export function withReads<Fields extends object>(fields: Fields, reads: FakeReads): Fields {
  const entries = Object.entries(reads).map(([name, reader]) => [name, { reader: () => reader, fetch: vi.fn() }]);
  return Object.assign(fields, { [internals]: { reads: Object.fromEntries(entries) } });
}

/** The answer of a server without our extensions. */
async function missing(): Promise<never> {
  throw new RequestError('unexpected-answer', 'There is no such endpoint.', { status: 404 });
}

export function user(fields: Partial<CurrentUser> = {}, reads: FakeReads = {}): CurrentUser {
  const known = {
    id: 'u',
    displayName: 'Ada Lovelace',
    primaryEmail: 'ada@example.com',
    profileImageUrl: null,
    hasPassword: true,
    otpAuthEnabled: false,
    passkeyAuthEnabled: false,
    isMultiFactorRequired: false,
    oauthProviders: [],
    selectedTeam: null,
    currentSession: { getTokens: async () => ({ accessToken: 'a', refreshToken: 'r' }) },
    signOut: vi.fn(async () => {}),
    update: vi.fn(async () => {}),
    delete: vi.fn(async () => {}),
    getRecoveryCodeStatus: vi.fn(async () => ({ remaining: 0, createdAt: null })),
    createRecoveryCodes: vi.fn(async () => []),
    manageTeam: () => ({ getMembers: missing, getOpenInvitations: missing }),
    getPasskeys: vi.fn(async () => []),
    getAccountDeletion: vi.fn(async () => ({ deletesAt: null, teamsWithoutSuccessor: [] })),
    requestDeletion: vi.fn(async () => null),
    cancelDeletion: vi.fn(async () => {}),
    exportData: vi.fn(async () => ({ account: { id: 'u' } })),
    getSecurityActivity: vi.fn(async () => Object.assign([], { nextCursor: null })),
    getProviderAccounts: vi.fn(async () => []),
  };
  return withReads({ ...known, ...fields } as unknown as CurrentUser, { listTeams: setReader<unknown>([]), ...reads });
}

const pagePaths = {
  signIn: 'sign-in',
  signUp: 'sign-up',
  signOut: 'sign-out',
  emailVerification: 'email-verification',
  passwordReset: 'password-reset',
  forgotPassword: 'forgot-password',
  oauthCallback: 'oauth-callback',
  magicLinkCallback: 'magic-link-callback',
  accountSettings: 'account-settings',
  teamInvitation: 'team-invitation',
  mfa: 'mfa',
  error: 'error',
  accountDeletion: 'account-deletion',
};

export function urls(given: Partial<HandlerUrls> = {}): HandlerUrls {
  const handler = given.handler ?? '/handler';
  const pages = Object.fromEntries(Object.entries(pagePaths).map(([page, path]) => [page, `${handler}/${path}`]));
  return {
    handler,
    home: '/',
    afterSignIn: '/',
    afterSignUp: '/',
    afterSignOut: '/',
    ...pages,
    ...given,
  } as HandlerUrls;
}

export type FakeApp = ReturnType<typeof fakeApp>;

/** An app whose user and project a test sets, and whose calls it records. */
export function fakeApp(options: { urls?: Partial<HandlerUrls>; redirectMethod?: RedirectMethod } = {}) {
  const readers = { user: setReader<CurrentUser | null>(null), project: setReader<Project>(project()) };
  const navigate = vi.fn();
  const redirectMethod = options.redirectMethod ?? { useNavigate: () => navigate, navigate };
  const redirects = Object.fromEntries(
    ['SignIn', 'SignUp', 'SignOut', 'Home', 'AfterSignIn', 'AfterSignUp', 'AccountSettings', 'Mfa'].map(page => [
      `redirectTo${page}`,
      vi.fn(async () => {}),
    ]),
  );

  const app = {
    projectId: 'p',
    urls: urls(options.urls),
    getProject: vi.fn(),
    getUser: vi.fn(),
    signInWithCredential: vi.fn<ClientApp['signInWithCredential']>(done),
    signUpWithCredential: vi.fn<ClientApp['signUpWithCredential']>(done),
    signInWithMagicLink: vi.fn<ClientApp['signInWithMagicLink']>(done),
    signInWithMfa: vi.fn<ClientApp['signInWithMfa']>(done),
    signInWithRecoveryCode: vi.fn<ClientApp['signInWithRecoveryCode']>(async () => ({
      status: 'ok',
      data: { remaining: 9 },
    })),
    signInWithPasskey: vi.fn<ClientApp['signInWithPasskey']>(done),
    signInWithOAuth: vi.fn<ClientApp['signInWithOAuth']>(never),
    callOAuthCallback: vi.fn<ClientApp['callOAuthCallback']>(never),
    sendForgotPasswordEmail: vi.fn<ClientApp['sendForgotPasswordEmail']>(done),
    sendMagicLinkEmail: vi.fn<ClientApp['sendMagicLinkEmail']>(async () => ({
      status: 'ok',
      data: { nonce: 'n0nce' },
    })),
    verifyPasswordResetCode: vi.fn<ClientApp['verifyPasswordResetCode']>(done),
    resetPassword: vi.fn<ClientApp['resetPassword']>(done),
    verifyEmail: vi.fn<ClientApp['verifyEmail']>(done),
    sendVerificationCode: vi.fn<ClientApp['sendVerificationCode']>(async () => 'second-nonce'),
    readTeamInvitation: vi.fn<ClientApp['readTeamInvitation']>(missing),
    verifyTeamInvitationCode: vi.fn<ClientApp['verifyTeamInvitationCode']>(done),
    getTeamInvitationDetails: vi.fn<ClientApp['getTeamInvitationDetails']>(async () => ({
      status: 'ok',
      data: { teamDisplayName: 'Analysts' },
    })),
    acceptTeamInvitation: vi.fn<ClientApp['acceptTeamInvitation']>(done),
    signOut: vi.fn(async () => {}),
    ...redirects,
    [internals]: {
      reads: { getProject: { fetch: vi.fn(), reader: () => readers.project } },
      user: () => readers.user,
      signUpAnonymously: vi.fn(async () => {}),
      sendRequest: vi.fn(async () => Response.json({ success: true })),
      redirectMethod,
    },
  };
  return { app: app as unknown as ClientApp<true> & typeof app, readers, navigate };
}

async function done(): Promise<{ status: 'ok'; data: undefined }> {
  return { status: 'ok', data: undefined };
}

/** The browser leaves the page. */
function never(): Promise<never> {
  return new Promise(() => {});
}
