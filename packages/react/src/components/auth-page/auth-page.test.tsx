import { KnownErrors, RequestError } from '@tessera/client';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { AuthPage, SignIn, SignUp } from '../../lazy/parts.tsx';
import { deferred } from '../../test/deferred.ts';
import { fakeApp, project, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';
import { refusal } from '../../test/sign-in-page.ts';

const goodPassword = 'violet harbour 93 lamp';

function field(name: string | RegExp) {
  return screen.getByLabelText(name, { selector: 'input' });
}

async function fillSignIn(email = 'ada@example.com', password = goodPassword) {
  const visitor = userEvent.setup();
  await visitor.type(field('Email'), email);
  await visitor.type(field('Password'), password);
  return visitor;
}

describe('sign-in page', () => {
  it('has a heading, labelled fields that password managers understand, and a button', async () => {
    const { container } = await show(<SignIn />);

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in');
    expect(field('Email').getAttributeNames()).toEqual(expect.arrayContaining(['inputmode', 'autocapitalize']));
    expect(field('Email').getAttribute('autocomplete')).toBe('username');
    expect(field('Email').getAttribute('inputmode')).toBe('email');
    expect(field('Email').getAttribute('spellcheck')).toBe('false');
    expect(field('Password').getAttribute('autocomplete')).toBe('current-password');
    expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('type')).toBe('submit');
    expect(container.querySelector('form')?.method).toBe('post');
  });

  it('sends the typed values, without spaces around the address', async () => {
    const { app } = await show(<SignIn />);
    const visitor = await fillSignIn(' ada@example.com ');
    await visitor.keyboard('{Enter}');

    expect(app.signInWithCredential).toHaveBeenCalledExactlyOnceWith({
      email: 'ada@example.com',
      password: goodPassword,
    });
  });

  it('shows a problem beside each field, and focuses the first', async () => {
    const { app, container } = await show(<SignIn />);
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(field('Email').getAttribute('aria-invalid')).toBe('true');
    expect(describedBy(field('Email'))).toBe('Enter your email address.');
    expect(describedBy(field('Password'))).toBe('Enter your password.');
    expect(document.activeElement).toBe(field('Email'));
    expect(screen.getAllByRole('status').map(status => status.textContent)).toContain('2 fields need your attention.');
    expect(app.signInWithCredential).not.toHaveBeenCalled();
    expect(await violations(container)).toEqual([]);
  });

  it('shows a refusal under the password, which keeps its value and gets the focus, and allows another try', async () => {
    const { app } = await show(<SignIn />);
    const error = new KnownErrors.EmailPasswordMismatch();
    app.signInWithCredential.mockResolvedValueOnce({ status: 'error', error });
    const visitor = await fillSignIn();
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(describedBy(field('Password'))).toBe('Incorrect email or password.');
    expect(document.activeElement).toBe(field('Password'));
    expect(field('Password')).toHaveProperty('value', goodPassword);

    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(app.signInWithCredential).toHaveBeenCalledTimes(2);
    expect(describedBy(field('Password'))).toBe('');
  });

  it('keeps the typed values when the server is unreachable, and works when it is back', async () => {
    const { app, container } = await show(<SignIn />);
    app.signInWithCredential.mockRejectedValueOnce(new RequestError('unreachable', 'no answer'));
    const visitor = await fillSignIn();
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    expect(screen.getByRole('alert').textContent).toContain('What you typed is still here.');
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
    expect(field('Password')).toHaveProperty('value', goodPassword);
    expect(await violations(container)).toEqual([]);

    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(app.signInWithCredential).toHaveBeenCalledTimes(2);
  });

  it('tells a suspended user whom to ask, and not to submit the same input again', async () => {
    const { app } = await show(<SignIn />);
    app.signInWithCredential.mockResolvedValueOnce(refusal('USER_SUSPENDED'));
    const visitor = await fillSignIn();
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByRole('alert').textContent).toBe('This account is suspended. Contact support.');
  });

  it.each([
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', new KnownErrors.PasswordAuthenticationNotEnabled(), /turned off/],
    ['a code without a sentence', new KnownErrors.UserNotFound(), /Something went wrong/],
    ['too many requests', new RequestError('too-many-requests', 'slow'), /Too many attempts/],
    ['a defect', new Error('secret detail'), /^Something went wrong(?!.*secret)/],
  ])('says what it means: %s', async (_, error, words) => {
    const { app } = await show(<SignIn />);
    app.signInWithCredential.mockRejectedValueOnce(error);
    const visitor = await fillSignIn();
    await visitor.keyboard('{Enter}');

    expect(screen.getByRole('alert').textContent).toMatch(words);
  });

  it('sends one request however often the button is clicked, and is busy meanwhile', async () => {
    const { app, container } = await show(<SignIn />);
    const answer = deferred<unknown>();
    app.signInWithCredential.mockReturnValueOnce(answer.promise as never);
    await fillSignIn();

    const button = screen.getByRole('button', { name: 'Sign in' });
    const form = container.querySelector('form');
    await act(async () => {
      button.click();
      button.click();
      form?.requestSubmit();
      form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    });
    await settle();

    expect(app.signInWithCredential).toHaveBeenCalledTimes(1);
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(await violations(container)).toEqual([]);

    await act(async () => answer.resolve({ status: 'ok', data: undefined }));
    expect(button.getAttribute('aria-busy')).toBeNull();
  });

  it('can be used by keyboard alone, in reading order', async () => {
    await show(<SignIn />);
    const visitor = userEvent.setup();
    const stops: (string | null | undefined)[] = [];
    for (let stop = 0; stop < 6; stop++) {
      await visitor.tab();
      const { activeElement } = document;
      stops.push(
        activeElement?.getAttribute('aria-label') ?? activeElement?.getAttribute('name') ?? activeElement?.textContent,
      );
    }

    expect(stops).toEqual(['Create an account', 'email', 'password', 'Show password', 'Forgot password?', 'Sign in']);
  });

  it('keeps the address over a reload and on the way to sign-up, never the password', async () => {
    const first = await show(<SignIn />);
    await fillSignIn('ada@example.com', goodPassword);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(goodPassword);
    first.unmount();

    await show(<SignUp />);
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
    expect(field('Password')).toHaveProperty('value', '');
  });

  it('keeps the return URL in its link', async () => {
    history.replaceState(null, '', '/handler/sign-in?after_auth_return_to=%2Fnotes%3Fa%3D1');
    const { navigate } = await show(<SignIn />);
    const link = screen.getByRole('link', { name: 'Create an account' });

    expect(link.getAttribute('href')).toBe('/handler/sign-up?after_auth_return_to=%2Fnotes%3Fa%3D1');
    await userEvent.click(link);
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/sign-up?after_auth_return_to=%2Fnotes%3Fa%3D1');
    history.replaceState(null, '', '/');
  });

  it('renders the form only when something changes', async () => {
    const { readers } = await show(<SignIn />);
    const heading = screen.getByRole('heading', { level: 1 });
    const spy = vi.spyOn(heading, 'textContent', 'set');
    const before = field('Email');
    await act(async () => readers.user.set(null));
    expect(field('Email')).toBe(before);
    expect(spy).not.toHaveBeenCalled();
  });
});

describe('sign-up page', () => {
  it('has fields for a new password, with a hint, and a meter while one types', async () => {
    const { container } = await show(<SignUp />);

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Create your account');
    expect(field('Email').getAttribute('autocomplete')).toBe('username');
    expect(field('Password').getAttribute('autocomplete')).toBe('new-password');
    expect(describedBy(field('Password'))).toContain('At least 8 characters');
    expect(screen.queryByRole('meter')).toBeNull();
    await userEvent.type(field('Password'), goodPassword);
    expect(screen.getByRole('meter', { name: 'Password strength' })).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('shows how easy the password is to guess, with the address taken into account', async () => {
    await show(<SignUp />);
    const visitor = userEvent.setup();
    const meter = () => screen.getByRole('meter').getAttribute('aria-valuetext');
    await visitor.type(field('Email'), 'marlene@example.com');

    await visitor.type(field('Password'), 'marlene1');
    expect(meter()).toBe('Easy to guess');
    await visitor.clear(field('Password'));
    await visitor.type(field('Password'), goodPassword);
    expect(meter()).toBe('Very strong');
  });

  it.each([
    ['', '', 'Choose a password.', 'Repeat the password.'],
    ['short', 'short', 'Use at least 8 characters.', ''],
    ['x'.repeat(71), 'x'.repeat(71), 'Use at most 70 characters.', ''],
    [goodPassword, 'another', '', "The passwords don't match."],
  ])('checks the passwords %j and %j', async (password, repeat, passwordError, repeatError) => {
    const { app } = await show(<SignUp noPasswordRepeat={false} />);
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com');
    await visitor.click(field('Password'));
    await visitor.paste(password);
    await visitor.click(field('Repeat password'));
    await visitor.paste(repeat);
    await visitor.click(screen.getByRole('button', { name: 'Create account' }));

    expect(errorOf(field('Password'))).toBe(passwordError);
    expect(errorOf(field('Repeat password'))).toBe(repeatError);
    expect(app.signUpWithCredential).not.toHaveBeenCalled();

    await visitor.type(field('Repeat password'), 'x');
    expect(errorOf(field('Password'))).toBe('');
    expect(errorOf(field('Repeat password'))).toBe('');
  });

  it.each([
    [new KnownErrors.UserWithEmailAlreadyExists('ada@example.com'), 'Email', /already exists/],
    [new KnownErrors.PasswordTooShort(12), 'Password', /Use at least 12 characters/],
  ])('shows a refusal at the field that it is about: %s', async (error, label, words) => {
    const { app } = await show(<SignUp />);
    app.signUpWithCredential.mockResolvedValueOnce({ status: 'error', error });
    const visitor = await fillSignIn();
    await visitor.click(screen.getByRole('button', { name: 'Create account' }));

    expect(errorOf(field(label))).toMatch(words);
    expect(document.activeElement).toBe(field(label));
    expect(field('Password')).toHaveProperty('value', goodPassword);
  });
});

describe('states', () => {
  it('shows a skeleton while project or user are loading, then the form', async () => {
    const fake = fakeApp();
    fake.readers.project.forget();
    const { container } = await show(<SignIn />, { with: fake });
    expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
    expect(await violations(container)).toEqual([]);

    await act(async () => fake.readers.project.set(project()));
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy();
  });

  it('says after 4 seconds that loading takes long, with a retry, and shows a failure after 10', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const fake = fakeApp();
    fake.readers.project.forget();
    const { container } = await show(<SignIn fullPage />, { with: fake });
    expect(screen.queryByRole('button')).toBeNull();

    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(screen.getByRole('status').textContent).toContain('This is taking longer than usual.');
    expect(await violations(container)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(container.querySelector('[aria-busy=true]')).not.toBeNull();

    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    await act(async () => fake.readers.project.set(project()));
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy();
    vi.useRealTimers();
  });

  it('has a skeleton with as many buttons as the form had at the last visit', async () => {
    const everything = { passkeyEnabled: true, magicLinkEnabled: true, oauthProviders: [{ id: 'github' }] };
    const fake = fakeApp();
    fake.readers.project.set(project(everything));
    const first = await show(<SignIn />, { with: fake });
    first.unmount();

    fake.readers.project.forget();
    await show(<SignIn />, { with: fake });
    expect(screen.getByText('or')).toBeTruthy();
  });

  it('shows the logo of the project, unless the app gives one', async () => {
    const logoUrl = 'https://cdn.example/logo.png';
    const fake = fakeApp();
    fake.readers.project.set({ ...project(), logoUrl });
    await show(<SignIn />, { with: fake });
    expect(screen.getByRole('img', { name: 'Shelfmark' }).getAttribute('src')).toBe(logoUrl);
    await show(<SignIn logo={<svg role="img" aria-label="Acme" />} />, { with: fake });
    expect(screen.getByRole('img', { name: 'Acme' })).toBeTruthy();
    expect(screen.getAllByRole('img', { name: 'Shelfmark' })).toHaveLength(1);
  });

  it('shows a logo in the place of the name of the project', async () => {
    await show(<SignIn logo={<svg role="img" aria-label="Acme" />} />);
    expect(screen.getByRole('img', { name: 'Acme' })).toBeTruthy();
    expect(screen.queryByText(project().displayName)).toBeNull();
  });

  it.each([
    ['full page', 'a mouse', true, true],
    ['full page', 'touch', false, false],
    ['component inside of a page', 'a mouse', true, false],
  ])('as a %s with %s: the first field has the focus: %s', async (place, _, isFine, isFocused) => {
    const { matchMedia } = window;
    vi.stubGlobal('matchMedia', (query: string) =>
      query === '(pointer: fine)' ? { matches: isFine } : matchMedia(query),
    );
    await show(<SignIn fullPage={place === 'full page'} />);
    expect(document.activeElement === field('Email')).toBe(isFocused);
    vi.unstubAllGlobals();
  });

  it.each([
    ['a success', { status: 'ok' as const, data: undefined }, 'password'],
    ['a refusal', { status: 'error' as const, error: new KnownErrors.EmailPasswordMismatch() }, 'github'],
  ])('remembers the last used method after %s only', async (_, result, method) => {
    localStorage.setItem('_STACK_AUTH.lastUsed', 'github');
    const { app } = await show(<SignIn />);
    app.signInWithCredential.mockResolvedValueOnce(result as never);
    const visitor = await fillSignIn();
    await visitor.keyboard('{Enter}');
    expect(localStorage.getItem('_STACK_AUTH.lastUsed')).toBe(method);
  });

  it('offers a retry when the project cannot be loaded', async () => {
    const fake = fakeApp();
    fake.readers.project.fail(new RequestError('unreachable', 'no answer'));
    const { container } = await show(<SignIn />, { with: fake });

    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    expect(await violations(container)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(fake.readers.project.refresh).toHaveBeenCalledOnce();
  });

  it('redirects a signed-in visitor once', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    const away = deferred<unknown>();
    vi.mocked(fake.app.redirectToAfterSignIn).mockReturnValue(away.promise as Promise<void>);
    await show(<SignIn automaticRedirect />, { with: fake });
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });

    await act(async () => away.resolve(undefined));
    await settle();
    expect(screen.getByRole('heading').textContent).toBe("You're signed in");
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
  });

  it('forgets the awaited code of a visitor who has signed in elsewhere', async () => {
    const sent = { email: 'ada@example.com', nonce: 'n0nce', sentAtMillis: Date.now() };
    sessionStorage.setItem('tessera.mailed-code.p', JSON.stringify(sent));
    const fake = fakeApp();
    fake.readers.user.set(user());
    await show(<SignIn automaticRedirect />, { with: fake });
    expect(fake.app.redirectToAfterSignIn).toHaveBeenCalledOnce();
    expect(sessionStorage.getItem('tessera.mailed-code.p')).toBeNull();
  });

  it('shows a card to a signed-in visitor, and signs them out on request', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    const { container } = await show(<SignUp />, { with: fake });
    expect(screen.getByRole('heading').textContent).toBe("You're signed in");
    expect(await violations(container)).toEqual([]);

    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(fake.app.signOut).toHaveBeenCalledOnce();
  });

  it('keeps the form while signing in, without a second redirect', async () => {
    const fake = fakeApp();
    const answer = deferred<unknown>();
    fake.app.signInWithCredential.mockImplementation(async () => {
      await new Promise(resolve => setTimeout(resolve, 10));
      fake.readers.user.forget();
      fake.readers.user.set(user());
      await answer.promise;
      return { status: 'ok', data: undefined };
    });
    await show(<SignIn automaticRedirect />, { with: fake });
    const visitor = await fillSignIn();
    await visitor.keyboard('{Enter}');
    await waitFor(() => expect(fake.readers.user.peek()).toMatchObject({ data: { id: 'u' } }));
    await settle();

    expect(screen.getByRole('heading').textContent).toBe('Sign in');
    expect(fake.app.redirectToAfterSignIn).not.toHaveBeenCalled();
    await act(async () => answer.resolve(undefined));
  });

  it('shows that sign-up is closed, and has no link to it', async () => {
    const fake = fakeApp();
    fake.readers.project.set(project({ signUpEnabled: false }));
    const { rerender, container } = await show(<SignUp />, { with: fake });
    expect(screen.getByRole('heading').textContent).toBe('Sign-ups are closed');
    expect(await violations(container)).toEqual([]);

    rerender(<SignIn />);
    await settle();
    expect(screen.queryByRole('link', { name: 'Create an account' })).toBeNull();
  });

  it('shows a message when no method is enabled', async () => {
    const fake = fakeApp();
    fake.readers.project.set(project({ credentialEnabled: false }));
    const { container } = await show(<SignIn extraInfo={<a href="/terms">Terms</a>} />, { with: fake });

    expect(screen.getByRole('alert').textContent).toBe('No sign-in method is turned on here.');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByRole('link', { name: 'Terms' })).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('shows a mock project and ignores the user', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    await show(<AuthPage type="sign-in" mockProject={{ displayName: 'Mock', config: project().config }} />, {
      with: fake,
    });
    expect(screen.getByText('Mock')).toBeTruthy();
  });
});

describe('languages', () => {
  it('uses the language of the provider', async () => {
    const { container } = await show(<SignIn />, { lang: 'de-AT' });
    const page = container.querySelector('[lang=de]');

    expect(page?.getAttribute('dir')).toBe('ltr');
    expect(within(page as HTMLElement).getByRole('heading').textContent).toBe('Anmelden');
    await userEvent.click(screen.getByRole('button', { name: 'Anmelden' }));
    expect(describedBy(field('Passwort'))).toBe('Gib dein Passwort ein.');
  });

  it('uses the translation overrides of the app', async () => {
    await show(<SignUp />, { translationOverrides: { 'Create your account': 'Join us' } });
    expect(screen.getByRole('heading').textContent).toBe('Join us');
  });
});

function describedBy(control: Element): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map(id => document.getElementById(id)?.textContent ?? '').join(' ');
}

function errorOf(control: Element): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  const alert = ids.map(id => document.getElementById(id)).find(element => element?.getAttribute('role') === 'alert');
  return alert?.textContent ?? '';
}
