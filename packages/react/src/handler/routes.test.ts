import { describe, expect, it } from 'vitest';
import { urls } from '../test/fake-app.ts';
import { resolvePage } from './routes.ts';

function resolve(path: string, { search = '', given = {} } = {}) {
  return resolvePage({ path, search, href: `https://app.example.com${path}${search}` }, urls(given));
}

describe('handler routes', () => {
  it.each([
    'sign-in',
    'sign-up',
    'sign-out',
    'forgot-password',
    'password-reset',
    'email-verification',
    'magic-link-callback',
    'oauth-callback',
    'team-invitation',
    'mfa',
    'account-settings',
    'account-deletion',
    'error',
    'cli-auth-confirm',
  ])('shows the page %s', page => {
    expect(resolve(`/handler/${page}`)).toEqual({ kind: 'page', page });
    expect(resolve(`/handler/${page}/`)).toEqual({ kind: 'page', page });
  });

  it.each([
    ['signin', 'sign-in'],
    ['login', 'sign-in'],
    ['log-in', 'sign-in'],
    ['Sign-In', 'sign-in'],
    ['LOGIN', 'sign-in'],
    ['register', 'sign-up'],
    ['signup', 'sign-up'],
    ['signout', 'sign-out'],
    ['emailverification', 'email-verification'],
    ['passwordreset', 'password-reset'],
    ['cliauthconfirm', 'cli-auth-confirm'],
    ['MFA', 'mfa'],
    ['Error', 'error'],
  ])('leads from %s to %s with the query', (alias, page) => {
    expect(resolve(`/handler/${alias}`, { search: '?a=1' })).toEqual({ kind: 'redirect', to: `/handler/${page}?a=1` });
  });

  it.each(['/handler', '/handler/', '/handler/nothing', '/handler/sign-in/more', '/handler/toString'])(
    'does not know %s',
    path => expect(resolve(path)).toEqual({ kind: 'unknown' }),
  );

  it.each(['/', '/handlers/sign-in', '/elsewhere/handler/sign-in'])(
    'notices that %s is not below the handler',
    path => {
      expect(resolve(path)).toEqual({ kind: 'misplaced', handler: '/handler' });
    },
  );

  it('serves a handler with another base', () => {
    expect(resolve('/auth/x/sign-in', { given: { handler: '/auth/x' } })).toEqual({ kind: 'page', page: 'sign-in' });
  });

  it.each([
    ['/welcome', '/welcome?a=1&b=2'],
    ['/welcome?c=3', '/welcome?c=3&a=1&b=2'],
    ['https://app.example.com/welcome', '/welcome?a=1&b=2'],
    ['/handler-of-mine/sign-in', '/handler-of-mine/sign-in?a=1&b=2'],
  ])('sends visitors on to a customised URL: %s', (signIn, to) => {
    expect(resolve('/handler/sign-in', { search: '?a=1&b=2', given: { signIn } })).toEqual({ kind: 'redirect', to });
  });

  it('redirects with the code when the verification page has a customised URL', () => {
    const given = { emailVerification: '/verified' };
    expect(resolve('/handler/email-verification', { search: '?code=c', given })).toEqual({
      kind: 'redirect',
      to: '/verified?code=c',
    });
  });

  it.each([
    ['error', { error: '/oops' }],
    ['account-settings', { accountSettings: '/account' }],
  ])('shows the page %s even where its URL is customised', (page, given) => {
    expect(resolve(`/handler/${page}`, { given })).toEqual({ kind: 'page', page });
  });
});
