import { KnownError, KnownErrors, RequestError } from '@tessera/client';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ForgotPassword,
  ForgotPasswordForm,
  MagicLinkSignIn,
  MFA,
  OAuthButton,
  OAuthButtonGroup,
  OAuthCallback,
  PasskeyButton,
  SignIn,
  SignUp,
} from '../parts.tsx';
import { type FakeApp, fakeApp, project, user } from '../test/fake-app.ts';
import { settle, show, violations } from '../test/show.tsx';

const heading = () => screen.getByRole('heading', { level: 1 });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
const code = () => screen.getByLabelText(/^Six-(character|digit) code$/, { selector: 'input' });
const everything = {
  credentialEnabled: true,
  magicLinkEnabled: true,
  passkeyEnabled: true,
  oauthProviders: [{ id: 'google' }, { id: 'github' }, { id: 'acme' }],
};

function offering(config: Parameters<typeof project>[0]): FakeApp {
  const fake = fakeApp();
  fake.readers.project.set(project(config));
  return fake;
}

function known(errorCode: string): never {
  return KnownError.fromJson({ code: errorCode }) as never;
}

function refusal(errorCode: string): never {
  return { status: 'error', error: known(errorCode) } as never;
}

describe('what a sign-in page offers', () => {
  it('stands in order: providers, passkey, a separator, and two tabs with the code first', async () => {
    const { container } = await show(<SignIn fullPage extraInfo="Terms apply." />, { with: offering(everything) });
    const names = screen.getAllByRole('button').map(element => element.textContent);
    expect(names).toEqual([
      'Sign in with Google',
      'Sign in with GitHub',
      'Sign in with acme',
      'Sign in with a passkey',
      'Email me a code',
    ]);
    expect(screen.getByText('or')).toBeTruthy();
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Email only', 'Email and password']);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email only');
    expect(await violations(container)).toEqual([]);
  });

  it('has no passkey and other words at sign-up', async () => {
    await show(<SignUp />, { with: offering(everything) });
    expect(screen.queryByText(/passkey/)).toBeNull();
    expect(button('Sign up with GitHub')).toBeTruthy();
    await userEvent.click(screen.getByRole('tab', { name: 'Email and password' }));
    expect(field('Repeat password')).toBeTruthy();
  });

  it('puts the password first when asked, or when it was last used here', async () => {
    const fake = offering({ magicLinkEnabled: true });
    const first = await show(<SignIn firstTab="password" />, { with: fake });
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Email and password', 'Email only']);
    expect(field('Password')).toBeTruthy();
    first.unmount();

    localStorage.setItem('_STACK_AUTH.lastUsed', 'password');
    await show(<SignIn />, { with: fake });
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email and password');
  });

  it('changes tabs by arrow keys and keeps the address', async () => {
    await show(<SignIn />, { with: offering({ magicLinkEnabled: true }) });
    const hand = userEvent.setup();
    await hand.type(field('Email'), 'ada@example.com');
    await act(async () => screen.getByRole('tab', { selected: true }).focus());
    await hand.keyboard('{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('Email and password');
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
    await hand.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email only');
  });

  it('is a form alone, or buttons alone, without a separator', async () => {
    const form = await show(<SignIn />, { with: offering({ credentialEnabled: false, magicLinkEnabled: true }) });
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByText('or')).toBeNull();
    form.unmount();

    await show(<SignIn />, { with: offering({ credentialEnabled: false, oauthProviders: [{ id: 'github' }] }) });
    expect(button('Sign in with GitHub')).toBeTruthy();
    expect(screen.queryByText('or')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('counts a passkey as no way to sign up', async () => {
    await show(<SignUp />, { with: offering({ credentialEnabled: false, passkeyEnabled: true }) });
    expect(screen.getByRole('alert').textContent).toContain('No way to sign in is switched on');
  });
});

describe('provider buttons', () => {
  it('remember the provider, leave once, and are busy meanwhile', async () => {
    const { app, container } = await show(<OAuthButton provider="github" type="sign-in" />);
    await userEvent.click(button('Sign in with GitHub'));
    await userEvent.click(button('Sign in with GitHub'));
    expect(app.signInWithOAuth).toHaveBeenCalledExactlyOnceWith('github');
    expect(localStorage.getItem('_STACK_AUTH.lastUsed')).toBe('github');
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBe('true');
    expect(await violations(container)).toEqual([]);

    // Back by the browser's button: the page is as it was left.
    await act(async () => window.dispatchEvent(new Event('pageshow')));
    expect(button('Sign in with GitHub').getAttribute('aria-busy')).toBeNull();
  });

  it('mark the last used one, except in demonstrations', async () => {
    localStorage.setItem('_STACK_AUTH.lastUsed', 'github');
    const fake = offering(everything);
    const view = await show(<OAuthButtonGroup type="sign-up" />, { with: fake });
    expect(screen.getAllByRole('button').map(element => element.textContent)).toEqual([
      'Sign up with Google',
      'Sign up with GitHubLast used',
      'Sign up with acme',
    ]);
    view.unmount();

    const mockProject = { config: { ...project().config, ...everything } };
    const { app } = await show(<OAuthButtonGroup type="sign-in" mockProject={mockProject} />);
    expect(screen.queryByText('Last used')).toBeNull();
    await userEvent.click(button('Sign in with Google'));
    expect(app.signInWithOAuth).not.toHaveBeenCalled();
  });

  it('say why they failed', async () => {
    const fake = fakeApp();
    fake.app.signInWithOAuth.mockRejectedValue(known('OAUTH_PROVIDER_NOT_FOUND_OR_NOT_ENABLED'));
    await show(<OAuthButton provider="x" type="sign-in" />, { with: fake });
    await userEvent.click(button('Sign in with X'));
    expect(screen.getByRole('alert').textContent).toBe('This provider is switched off for this project.');
  });

  it('cannot be used inside of another page', async () => {
    vi.stubGlobal('top', {});
    const { app } = await show(<OAuthButton provider="google" type="sign-in" />);
    expect(button('Sign in with Google')).toHaveProperty('disabled', true);
    expect(button('Sign in with Google').title).toBe('Google does not work inside of another page.');
    await userEvent.click(button('Sign in with Google'));
    expect(app.signInWithOAuth).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('tell people in the browser of an app that Google refuses it', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 Mobile Instagram 300.0');
    await show(<OAuthButtonGroup type="sign-in" />, { with: offering(everything) });
    expect(screen.getAllByText(/Open this page in your browser/)).toHaveLength(1);
    vi.restoreAllMocks();
  });
});

describe('passkey button', () => {
  it('signs in, and shows what came back instead of swallowing it', async () => {
    const fake = fakeApp();
    const error = new KnownErrors.PasskeyWebAuthnError('cancelled', 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY');
    fake.app.signInWithPasskey.mockResolvedValueOnce({ status: 'error', error });
    await show(<PasskeyButton />, { with: fake });
    await userEvent.click(button('Sign in with a passkey'));
    expect(screen.getByRole('alert').textContent).toContain('stopped this');
    await userEvent.click(button('Sign in with a passkey'));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(fake.app.signInWithPasskey).toHaveBeenCalledTimes(2);
  });
});

describe('passkey autofill', () => {
  beforeEach(() => {
    vi.stubGlobal('PublicKeyCredential', { isConditionalMediationAvailable: async () => true });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('control 69: is offered from the start, and taken away with the page', async () => {
    const fake = offering({ passkeyEnabled: true });
    fake.app.signInWithPasskey.mockReturnValue(new Promise(() => {}));
    const view = await show(<SignIn />, { with: fake });
    expect(field('Email').getAttribute('autocomplete')).toBe('username webauthn');
    const [options] = fake.app.signInWithPasskey.mock.calls[0] ?? [];
    expect(options).toMatchObject({ autofill: true });
    expect(options?.signal?.aborted).toBe(false);
    view.unmount();
    expect(options?.signal?.aborted).toBe(true);
  });

  it("control 69: begins anew after the button's prompt, which takes it away", async () => {
    const fake = offering({ passkeyEnabled: true });
    const autofills: AbortSignal[] = [];
    fake.app.signInWithPasskey.mockImplementation(async options => {
      if (!options?.autofill) return refusal('PASSKEY_AUTHENTICATION_FAILED');
      if (options.signal) autofills.push(options.signal);
      return new Promise(() => {});
    });
    await show(<SignIn />, { with: fake });
    await userEvent.click(button('Sign in with a passkey'));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('was not accepted');
    expect(autofills.map(signal => signal.aborted)).toEqual([true, false]);
  });

  it('says when a chosen passkey was not accepted, and nothing when there was no prompt', async () => {
    const fake = offering({ passkeyEnabled: true });
    fake.app.signInWithPasskey.mockResolvedValue(refusal('PASSKEY_AUTHENTICATION_FAILED'));
    const view = await show(<SignIn />, { with: fake });
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('was not accepted');
    view.unmount();

    fake.app.signInWithPasskey.mockRejectedValue(new Error('no'));
    await show(<SignIn />, { with: fake });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is not offered where passkeys are off', async () => {
    const { app } = await show(<SignIn />);
    expect(field('Email').getAttribute('autocomplete')).toBe('username');
    expect(app.signInWithPasskey).not.toHaveBeenCalled();
  });
});

describe('sign-in by mail', () => {
  async function sendCode(fake = fakeApp()) {
    const view = await show(<MagicLinkSignIn />, { with: fake });
    const hand = userEvent.setup();
    await hand.type(field('Email'), ' ada@example.com ');
    await hand.click(button('Email me a code'));
    return { ...view, hand };
  }

  it('sends a code, and signs in when six characters are there, once', async () => {
    const { app, hand, container } = await sendCode();
    expect(app.sendMagicLinkEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(screen.getByText('ada@example.com')).toBeTruthy();
    expect(document.activeElement).toBe(code());
    expect(code().getAttribute('autocomplete')).toBe('one-time-code');
    expect(code().getAttribute('inputmode')).toBe('text');
    expect(await violations(container)).toEqual([]);

    app.signInWithMagicLink.mockReturnValue(new Promise(() => {}));
    await hand.keyboard('ab1 2-c');
    expect(app.signInWithMagicLink).not.toHaveBeenCalled();
    await hand.keyboard('dEF');
    expect(app.signInWithMagicLink).toHaveBeenCalledExactlyOnceWith('AB12CDn0nce');
    expect(code()).toHaveProperty('readOnly', true);
    expect(screen.getByText('Checking the code …')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('takes a code that is pasted, with blanks and dashes, also beside the boxes', async () => {
    const { app, hand } = await sendCode();
    app.signInWithMagicLink.mockResolvedValue(refusal('VERIFICATION_CODE_NOT_FOUND'));
    await hand.click(code());
    await hand.paste(' a1b-2c3 ');
    expect(app.signInWithMagicLink).toHaveBeenLastCalledWith('A1B2C3n0nce');

    await act(async () => (document.activeElement as HTMLElement).blur());
    const data = new DataTransfer();
    data.setData('text', 'x9y 8z7');
    await act(
      async () => void fireEvent(document.body, new ClipboardEvent('paste', { bubbles: true, clipboardData: data })),
    );
    await settle();
    expect(app.signInWithMagicLink).toHaveBeenLastCalledWith('X9Y8Z7n0nce');
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', /not valid/],
    ['VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', /not valid/],
    ['INVALID_TOTP_CODE', /code is wrong/],
  ])('says what %s means, empties the boxes, and forgets it when one types', async (errorCode, words) => {
    const { app, hand, container } = await sendCode();
    app.signInWithMagicLink.mockResolvedValue(refusal(errorCode));
    await hand.keyboard('abc123');
    expect(screen.getByRole('alert').textContent).toMatch(words);
    expect(code()).toHaveProperty('value', '');
    expect(code().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(code());
    expect(await violations(container)).toEqual([]);
    await hand.keyboard('x');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps the code when the server is away, and sends it again', async () => {
    const { app, hand } = await sendCode();
    app.signInWithMagicLink.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    await hand.keyboard('abc123');
    expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
    expect(code()).toHaveProperty('value', 'ABC123');
    await hand.click(button('Try again'));
    expect(app.signInWithMagicLink).toHaveBeenCalledTimes(2);
  });

  it('goes back to the address', async () => {
    const { hand } = await sendCode();
    await hand.click(button('Use another address'));
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
  });

  it('is still waiting for the code after a reload, for as long as it is valid', async () => {
    const { unmount } = await sendCode();
    unmount();
    const again = await show(<MagicLinkSignIn />);
    expect(code()).toBeTruthy();
    again.unmount();

    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15 * 60_000);
    await show(<MagicLinkSignIn />);
    expect(screen.queryByLabelText(/^Six-/)).toBeNull();
    vi.restoreAllMocks();
  });

  it('counts down before it sends again, and then takes the newest mail', async () => {
    const { unmount, app } = await sendCode();
    expect(button('Send again in 30 s')).toHaveProperty('disabled', true);
    unmount();

    const later = Date.now() + 40_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    app.sendMagicLinkEmail.mockResolvedValue({ status: 'ok', data: { nonce: 'other' } });
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockResolvedValue({ status: 'ok', data: { nonce: 'other' } });
    await show(<MagicLinkSignIn />, { with: fake });
    await userEvent.click(button('Send again'));
    expect(fake.app.sendMagicLinkEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(screen.getByText('Sent. Use the newest email.')).toBeTruthy();
    await userEvent.click(code());
    await userEvent.keyboard('abc123');
    expect(fake.app.signInWithMagicLink).toHaveBeenCalledExactlyOnceWith('ABC123other');
    vi.restoreAllMocks();
  });

  it.each([
    ['SIGN_UP_NOT_ENABLED', 'This project takes no new accounts at the moment.'],
    ['USER_EMAIL_ALREADY_EXISTS', 'This address is not verified yet. Sign in another way first.'],
  ])('says at the address what %s means', async (errorCode, sentence) => {
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockRejectedValue(known(errorCode));
    await sendCode(fake);
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(document.activeElement).toBe(field('Email'));
  });

  it('says at the address that the website is not trusted, and above the form what else failed', async () => {
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockResolvedValueOnce(refusal('REDIRECT_URL_NOT_WHITELISTED'));
    const { hand } = await sendCode(fake);
    expect(screen.getByRole('alert').textContent).toContain('trusted domains');
    fake.app.sendMagicLinkEmail.mockRejectedValueOnce(new RequestError('offline', 'no'));
    await hand.click(button('Email me a code'));
    expect(screen.getByRole('alert').textContent).toContain('You are offline.');
  });
});

describe('second factor', () => {
  beforeEach(() => sessionStorage.setItem('stack_mfa_attempt_code', 'att3mpt'));

  it('takes six digits, forgets the attempt, and leads on', async () => {
    const { app, container } = await show(<MFA fullPage />);
    expect(heading().textContent).toBe('One more step');
    expect(code().getAttribute('inputmode')).toBe('numeric');
    expect(await violations(container)).toEqual([]);
    await userEvent.keyboard('a123 456');
    expect(app.signInWithMfa).toHaveBeenCalledExactlyOnceWith('123456', 'att3mpt', { noRedirect: true });
    expect(sessionStorage.getItem('stack_mfa_attempt_code')).toBeNull();
    expect(screen.getByRole('status').textContent).toContain('Verified');
    expect(app.redirectToAfterSignIn).toHaveBeenCalledOnce();
    expect(screen.queryByLabelText(/^Six-/)).toBeNull();
  });

  it('tells the caller instead of leading on, and offers a way back only when there is one', async () => {
    const onSuccess = vi.fn();
    const onCancel = vi.fn();
    const { app } = await show(<MFA onSuccess={onSuccess} onCancel={onCancel} />);
    expect(screen.queryByRole('heading')).toBeNull();
    await userEvent.click(button('Cancel'));
    expect(onCancel).toHaveBeenCalledOnce();
    await userEvent.click(code());
    await userEvent.keyboard('123456');
    expect(onSuccess).toHaveBeenCalledOnce();
    expect(app.redirectToAfterSignIn).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('keeps the attempt after a wrong code', async () => {
    const fake = fakeApp();
    fake.app.signInWithMfa.mockResolvedValueOnce(refusal('INVALID_TOTP_CODE'));
    const { container } = await show(<MFA fullPage />, { with: fake });
    await userEvent.keyboard('000000');
    expect(screen.getByRole('alert').textContent).toContain('The code is wrong.');
    expect(code()).toHaveProperty('value', '');
    expect(await violations(container)).toEqual([]);
    expect(screen.queryByRole('link')).toBeNull();
    await userEvent.keyboard('123456');
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
  });

  it.each(['VERIFICATION_CODE_EXPIRED', 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'])(
    'leads back to sign-in after %s',
    async errorCode => {
      const fake = fakeApp();
      fake.app.signInWithMfa.mockResolvedValueOnce(refusal(errorCode));
      await show(<MFA fullPage />, { with: fake });
      await userEvent.keyboard('123456');
      expect(screen.getByRole('alert').textContent).toBe('This did not work. Sign in again.');
      expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/handler/sign-in');
    },
  );

  it('says that there is nothing to complete', async () => {
    sessionStorage.clear();
    const { container } = await show(<MFA fullPage />);
    expect(heading().textContent).toBe('There is no sign-in to complete');
    expect(await violations(container)).toEqual([]);
  });
});

describe('forgotten password', () => {
  it('sends a mail, and says nothing about whether there is such an account', async () => {
    const fake = fakeApp();
    fake.app.sendForgotPasswordEmail.mockResolvedValue(refusal('USER_NOT_FOUND'));
    const { container, navigate } = await show(<ForgotPassword fullPage />, { with: fake });
    expect(await violations(container)).toEqual([]);
    const hand = userEvent.setup();
    await hand.click(button('Send the link'));
    expect(screen.getByText('Enter your email address.')).toBeTruthy();
    await hand.type(field('Email'), 'ada@example.com');
    expect(screen.queryByText('Enter your email address.')).toBeNull();
    await hand.keyboard('{Enter}');
    expect(fake.app.sendForgotPasswordEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(heading().textContent).toBe('Check your inbox');
    expect(document.activeElement).toBe(heading());
    expect(await violations(container)).toEqual([]);
    await hand.click(button('Go to the home page'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });

  it('says when nobody was asked', async () => {
    const fake = fakeApp();
    fake.app.sendForgotPasswordEmail.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    const onSent = vi.fn();
    await show(<ForgotPasswordForm onSent={onSent} />, { with: fake });
    const hand = userEvent.setup();
    await hand.type(field('Email'), 'ada@example.com{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
    expect(onSent).not.toHaveBeenCalled();
    await hand.click(button('Send the link'));
    expect(onSent).toHaveBeenCalledOnce();
  });

  it('says to those who are signed in that they are', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    await show(<ForgotPassword />, { with: fake });
    expect(heading().textContent).toBe('You are signed in');
  });
});

describe('OAuth callback', () => {
  it('completes the sign-in once', async () => {
    const { app, container } = await show(<OAuthCallback fullPage />);
    expect(app.callOAuthCallback).toHaveBeenCalledOnce();
    expect(screen.getByRole('img', { name: 'Completing the sign-in' })).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    expect(app.redirectToSignIn).not.toHaveBeenCalled();
  });

  it('leads to sign-in where there was nothing to complete', async () => {
    const fake = fakeApp();
    fake.app.callOAuthCallback.mockResolvedValue(false);
    await show(<OAuthCallback />, { with: fake });
    expect(fake.app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ noRedirectBack: true, replace: true });
  });

  it('control 58: shows an error as text, cut to a length', async () => {
    const fake = fakeApp();
    const markup = '<img src=x onerror=alert(1)>';
    fake.app.callOAuthCallback.mockRejectedValue(new Error(markup + 'x'.repeat(5000)));
    const { container } = await show(<OAuthCallback fullPage />, { with: fake });
    expect(heading().textContent).toBe('The sign-in could not be completed');
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('pre')?.textContent).toContain('onerror');
    expect(container.querySelector('pre')?.textContent?.length).toBe(800);
    expect(await violations(container)).toEqual([]);
  });

  it('offers a way out when it takes long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
    await show(<OAuthCallback />);
    expect(screen.queryByRole('link')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(3000));
    expect(within(screen.getByRole('status')).getByRole('link', { name: 'Go to the home page' })).toBeTruthy();
    vi.useRealTimers();
  });
});
