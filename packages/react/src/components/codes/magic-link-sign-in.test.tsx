import { RequestError } from '@tessera/client';
import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { MagicLinkSignIn, SignIn } from '../../lazy/parts.tsx';
import { deferred } from '../../test/deferred.ts';
import { fakeApp } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';
import { button, code, everything, field, known, offering, refusal } from '../../test/sign-in-page.ts';

describe('sign-in by email', () => {
  async function sendCode(fake = fakeApp()) {
    const view = await show(<MagicLinkSignIn />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), ' ada@example.com ');
    await visitor.click(button('Email me a code'));
    return { ...view, visitor };
  }

  it('sends a code, and signs in once when six characters are entered', async () => {
    const { app, visitor, container } = await sendCode();
    expect(app.sendMagicLinkEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(screen.getByText('ada@example.com')).toBeTruthy();
    expect(document.activeElement).toBe(code());
    expect(code().getAttribute('autocomplete')).toBe('one-time-code');
    expect(code().getAttribute('inputmode')).toBe('text');
    expect(await violations(container)).toEqual([]);

    app.signInWithMagicLink.mockReturnValue(new Promise(() => {}));
    await visitor.keyboard('ab1 2-c');
    expect(app.signInWithMagicLink).not.toHaveBeenCalled();
    await visitor.keyboard('dEF');
    expect(app.signInWithMagicLink).toHaveBeenCalledExactlyOnceWith('AB12CDn0nce', {});
    expect(code()).toHaveProperty('readOnly', true);
    expect(screen.getByText('Checking the code …')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('accepts a pasted code with spaces and dashes, also outside of the boxes', async () => {
    const { app, visitor } = await sendCode();
    app.signInWithMagicLink.mockResolvedValue(refusal('VERIFICATION_CODE_NOT_FOUND'));
    await visitor.click(code());
    await visitor.paste(' a1b-2c3 ');
    expect(app.signInWithMagicLink).toHaveBeenLastCalledWith('A1B2C3n0nce', {});

    await act(async () => (document.activeElement as HTMLElement).blur());
    const data = new DataTransfer();
    data.setData('text', 'x9y 8z7');
    await act(
      async () => void fireEvent(document.body, new ClipboardEvent('paste', { bubbles: true, clipboardData: data })),
    );
    await settle();
    expect(app.signInWithMagicLink).toHaveBeenLastCalledWith('X9Y8Z7n0nce', {});
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', /Incorrect code/],
    ['VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', /Incorrect code/],
    ['INVALID_TOTP_CODE', /Incorrect code/],
  ])('explains %s, empties the boxes, and removes the explanation at the next key', async (errorCode, words) => {
    const { app, visitor, container } = await sendCode();
    app.signInWithMagicLink.mockResolvedValue(refusal(errorCode));
    await visitor.keyboard('abc123');
    expect(screen.getByRole('alert').textContent).toMatch(words);
    expect(code()).toHaveProperty('value', '');
    expect(code().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(code());
    expect(await violations(container)).toEqual([]);
    await visitor.keyboard('x');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('keeps the code when the server is unreachable, and sends it again', async () => {
    const { app, visitor } = await sendCode();
    app.signInWithMagicLink.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    await visitor.keyboard('abc123');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(code()).toHaveProperty('value', 'ABC123');
    await visitor.click(button('Try again'));
    expect(app.signInWithMagicLink).toHaveBeenCalledTimes(2);
  });

  it('goes back to the address', async () => {
    const { visitor } = await sendCode();
    await visitor.click(button('Change: Email'));
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
  });

  it('still waits for the code after a reload, as long as the code is valid', async () => {
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

  it('is restored after a reload also when the password form comes first', async () => {
    const fake = offering(everything);
    const view = await show(<SignIn firstTab="password" />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('tab', { name: 'Email code' }));
    await visitor.type(field('Email'), 'ada@example.com');
    await visitor.click(button('Email me a code'));
    view.unmount();

    await show(<SignIn firstTab="password" />, { with: fake });
    expect(code()).toBeTruthy();
  });

  it('counts down before it sends again, and then uses the newest email', async () => {
    const { unmount, app } = await sendCode();
    expect(button('Resend in 30 s').getAttribute('aria-disabled')).toBe('true');
    unmount();

    const later = Date.now() + 40_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    app.sendMagicLinkEmail.mockResolvedValue({ status: 'ok', data: { nonce: 'other' } });
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockResolvedValue({ status: 'ok', data: { nonce: 'other' } });
    await show(<MagicLinkSignIn />, { with: fake });
    await userEvent.click(button('Resend'));
    expect(fake.app.sendMagicLinkEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(screen.getByText('Sent again. Use the newest email.')).toBeTruthy();
    await userEvent.click(code());
    await userEvent.keyboard('abc123');
    expect(fake.app.signInWithMagicLink).toHaveBeenCalledExactlyOnceWith('ABC123other', {});
    vi.restoreAllMocks();
  });

  it('keeps the address that is typed when a resend to the earlier one is answered', async () => {
    const { unmount } = await sendCode();
    unmount();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000);
    const fake = fakeApp();
    const wrong = deferred<Awaited<ReturnType<typeof fake.app.sendMagicLinkEmail>>>();
    fake.app.sendMagicLinkEmail.mockReturnValueOnce(wrong.promise);
    const view = await show(<MagicLinkSignIn />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.click(button('Resend'));
    await visitor.click(button('Change: Email'));
    await visitor.clear(field('Email'));
    await visitor.type(field('Email'), 'grace@example.com');
    await act(async () => wrong.resolve({ status: 'ok', data: { nonce: 'wrong' } }));
    expect(field('Email')).toHaveProperty('value', 'grace@example.com');
    view.unmount();

    await show(<MagicLinkSignIn />, { with: fake });
    expect(field('Email')).toBeTruthy();
    vi.restoreAllMocks();
  });

  it('sends to another address while the email to the earlier one is still being sent again', async () => {
    const { unmount } = await sendCode();
    unmount();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000);
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockReturnValueOnce(new Promise(() => {}));
    await show(<MagicLinkSignIn />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.click(button('Resend'));
    await visitor.click(button('Change: Email'));
    await visitor.clear(field('Email'));
    await visitor.type(field('Email'), 'grace@example.com{Enter}');
    expect(fake.app.sendMagicLinkEmail).toHaveBeenLastCalledWith('grace@example.com');
    expect(screen.getByText('grace@example.com')).toBeTruthy();
    vi.restoreAllMocks();
  });

  it.each([
    ['SIGN_UP_NOT_ENABLED', 'Sign-ups are closed.'],
    ['USER_EMAIL_ALREADY_EXISTS', "We can't send a code to this address. Sign in another way."],
  ])('says at the address what %s means', async (errorCode, sentence) => {
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockRejectedValue(known(errorCode));
    await sendCode(fake);
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(document.activeElement).toBe(field('Email'));
  });

  it('shows an untrusted domain at the address, and every other failure above the form', async () => {
    const fake = fakeApp();
    fake.app.sendMagicLinkEmail.mockResolvedValueOnce(refusal('REDIRECT_URL_NOT_WHITELISTED'));
    const { visitor } = await sendCode(fake);
    expect(screen.getByRole('alert').textContent).toContain('trusted domain');
    fake.app.sendMagicLinkEmail.mockRejectedValueOnce(new RequestError('offline', 'no'));
    await visitor.click(button('Email me a code'));
    expect(screen.getByRole('alert').textContent).toContain("You're offline.");
  });
});
