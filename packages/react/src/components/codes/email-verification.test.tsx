import { type ClientApp, KnownError, RequestError } from '@tessera/client';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TesseraHandler } from '../../handler/handler.tsx';
import { EmailVerification } from '../../lazy/parts.tsx';
import { fakeApp, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';

type Answer = Awaited<ReturnType<ClientApp['verifyEmail']>>;

const searchParams = { code: 'c0de' };
const heading = () => screen.getByRole('heading', { level: 1 });
const button = (name: string) => screen.getByRole('button', { name });

function refusal(code: string): Answer {
  return { status: 'error', error: KnownError.fromJson({ code }) } as Answer;
}

class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <p>caught {KnownError.isKnownError(error) ? error.errorCode : String(error)}</p>;
  }
}

describe('email verification page', () => {
  it.each([
    ['no user', null],
    ['a user', user()],
  ])('asks first, then verifies, with %s signed in', async (_, current) => {
    const fake = fakeApp();
    fake.readers.user.set(current);
    const { app, navigate, container } = await show(<EmailVerification searchParams={searchParams} />, { with: fake });
    expect(heading().textContent).toBe('Verify your email address');
    expect(app.verifyEmail).not.toHaveBeenCalled();
    expect(await violations(container)).toEqual([]);

    await userEvent.click(button('Verify'));
    expect(app.verifyEmail).toHaveBeenCalledExactlyOnceWith('c0de');
    expect(heading().textContent).toBe('Email address verified');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(await violations(container)).toEqual([]);

    await userEvent.click(button('Go to the home page'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });

  it('goes to the home page on cancel and keeps the code unused', async () => {
    const { app, navigate } = await show(<EmailVerification searchParams={searchParams} />);
    await userEvent.click(button('Cancel'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
    expect(app.verifyEmail).not.toHaveBeenCalled();
  });

  it.each<Record<string, string>>([{}, { code: '' }])('says that a link without a code is invalid: %o', async given => {
    const { container, navigate } = await show(<EmailVerification searchParams={given} fullPage />);
    expect(heading().textContent).toBe("This link doesn't work");
    expect(document.activeElement).toBe(document.body);
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Go to the home page'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/');
  });

  it.each([
    ['VERIFICATION_CODE_NOT_FOUND', "This link doesn't work", /Open it again/],
    ['VERIFICATION_CODE_EXPIRED', 'This link has expired', /new one from your account settings/],
    ['VERIFICATION_CODE_ALREADY_USED', 'Email address verified', /can close this page/],
  ])('shows %s as: %s', async (code, title, text) => {
    const fake = fakeApp();
    fake.app.verifyEmail.mockResolvedValue(refusal(code));
    const { container } = await show(<EmailVerification searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Verify'));
    expect(heading().textContent).toBe(title);
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getAllByRole('button')).toEqual([button('Go to the home page')]);
    expect(await violations(container)).toEqual([]);
  });

  it('is busy while it verifies, and sends one request', async () => {
    const fake = fakeApp();
    let answer: (result: Answer) => void = () => {};
    fake.app.verifyEmail.mockReturnValue(new Promise(resolve => (answer = resolve)));
    const { app, container } = await show(<EmailVerification searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Verify'));
    expect(button('Verify').getAttribute('aria-busy')).toBe('true');
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Verify'));
    expect(app.verifyEmail).toHaveBeenCalledOnce();

    await act(async () => answer({ status: 'ok', data: undefined }));
    expect(button('Go to the home page').hasAttribute('aria-busy')).toBe(false);
  });

  it('offers a retry when the server is unreachable', async () => {
    const fake = fakeApp();
    fake.app.verifyEmail.mockRejectedValueOnce(new RequestError('unreachable', 'no answer'));
    const { container } = await show(<EmailVerification searchParams={searchParams} />, { with: fake });
    await userEvent.click(button('Verify'));
    expect(screen.getByRole('alert').textContent).toContain("We can't reach the server.");
    expect(await violations(container)).toEqual([]);

    await userEvent.click(button('Verify'));
    expect(heading().textContent).toBe('Email address verified');
  });

  it('shows that a truncated link does not work', async () => {
    const fake = fakeApp();
    fake.app.verifyEmail.mockRejectedValueOnce(KnownError.fromJson({ code: 'SCHEMA_ERROR' }));
    await show(<EmailVerification searchParams={{ code: 'cut' }} />, { with: fake });
    await userEvent.click(button('Verify'));
    expect(heading().textContent).toBe("This link doesn't work");
  });

  it('asks again for another code', async () => {
    const { rerender } = await show(<EmailVerification searchParams={searchParams} />);
    await userEvent.click(button('Verify'));
    rerender(<EmailVerification searchParams={{ code: 'another' }} />);
    expect(heading().textContent).toBe('Verify your email address');
  });

  it('has German texts', async () => {
    await show(<EmailVerification searchParams={searchParams} />, { lang: 'de' });
    await settle();
    await userEvent.click(button('Bestätigen'));
    expect(heading().textContent).toBe('E-Mail-Adresse bestätigt');
  });

  it('reads the code from the window, and accepts props by its name', async () => {
    window.history.replaceState(null, '', '?code=of-the-window');
    const location = '/handler/email-verification';
    const { app, rerender } = await show(<TesseraHandler location={location} />);
    await userEvent.click(button('Verify'));
    expect(app.verifyEmail).toHaveBeenCalledExactlyOnceWith('of-the-window');

    const componentProps = { EmailVerification: { searchParams: {} } };
    rerender(<TesseraHandler location={location} componentProps={componentProps} />);
    expect(heading().textContent).toBe("This link doesn't work");
    window.history.replaceState(null, '', window.location.pathname);
  });

  describe('with an error that has no card', () => {
    beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
    afterEach(() => void vi.restoreAllMocks());

    it.each([
      [
        'returned',
        (fake: ReturnType<typeof fakeApp>) =>
          fake.app.verifyEmail.mockResolvedValue(refusal('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')),
        'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
      ],
      [
        'thrown',
        (fake: ReturnType<typeof fakeApp>) =>
          fake.app.verifyEmail.mockRejectedValue(KnownError.fromJson({ code: 'PROJECT_NOT_FOUND' })),
        'PROJECT_NOT_FOUND',
      ],
    ])('leaves one that is %s to the error boundary', async (_, answer, code) => {
      const fake = fakeApp();
      answer(fake);
      await show(
        <Boundary>
          <EmailVerification searchParams={searchParams} />
        </Boundary>,
        { with: fake },
      );
      await userEvent.click(button('Verify'));
      expect(screen.getByText(`caught ${code}`)).toBeTruthy();
    });
  });
});
