import { RequestError } from '@tessera/client';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ForgotPassword } from '../../lazy/parts.tsx';
import { fakeApp, user } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { button, field, heading, refusal } from '../../test/sign-in-page.ts';

describe('forgotten password', () => {
  it('sends an email, and does not reveal whether the account exists', async () => {
    const fake = fakeApp();
    fake.app.sendForgotPasswordEmail.mockResolvedValue(refusal('USER_NOT_FOUND'));
    const { container } = await show(<ForgotPassword fullPage />, { with: fake });
    expect(await violations(container)).toEqual([]);
    const visitor = userEvent.setup();
    await visitor.click(button('Send link'));
    expect(screen.getByText('Enter your email address.')).toBeTruthy();
    await visitor.type(field('Email'), 'ada@example.com');
    expect(screen.queryByText('Enter your email address.')).toBeNull();
    await visitor.keyboard('{Enter}');
    expect(fake.app.sendForgotPasswordEmail).toHaveBeenCalledExactlyOnceWith('ada@example.com', {
      callbackUrl: expect.stringMatching(/\/handler\/password-reset\?requested_at=\d+$/),
    });
    expect(heading().textContent).toBe('Check your email');
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    expect(await violations(container)).toEqual([]);
    expect(screen.getByText('ada@example.com')).toBeTruthy();
    const resend = button(/^Resend in \d+ s$/);
    expect(resend.getAttribute('aria-disabled')).toBe('true');
    await visitor.click(resend);
    expect(fake.app.sendForgotPasswordEmail).toHaveBeenCalledOnce();

    await visitor.click(button('Change: Email'));
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
  });

  it('keeps the focus on the button that sends the email again', async () => {
    await show(<ForgotPassword />);
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com{Enter}');
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000);
    const resend = await screen.findByRole('button', { name: 'Resend' }, { timeout: 3000 });
    await visitor.click(resend);
    expect(screen.getByText('Sent again. Use the newest email.')).toBeTruthy();
    expect(resend.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(resend);
    later.mockRestore();
  });

  it('shows that no request reached the server', async () => {
    const fake = fakeApp();
    fake.app.sendForgotPasswordEmail.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    await show(<ForgotPassword />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com{Enter}');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    await visitor.click(button('Send link'));
    expect(heading().textContent).toBe('Check your email');
  });

  it('shows signed-in visitors that they are signed in', async () => {
    const fake = fakeApp();
    fake.readers.user.set(user());
    await show(<ForgotPassword />, { with: fake });
    expect(heading().textContent).toBe("You're signed in");
  });
});
