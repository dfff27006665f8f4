import { KnownErrors, RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AuthPage, SignIn, SignUp } from '../../lazy/parts.tsx';
import { project, user } from '../../test/fake-app.ts';
import { show, violations } from '../../test/show.tsx';
import { button, code, everything, field, heading, offering } from '../../test/sign-in-page.ts';

describe('the methods of a sign-in page', () => {
  it('are in order: providers, passkey, a separator, and two tabs with the code first', async () => {
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
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Email code', 'Password']);
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email code');
    expect(await violations(container)).toEqual([]);
  });

  it('have no passkey and other texts at sign-up', async () => {
    await show(<SignUp />, { with: offering(everything) });
    expect(screen.queryByText(/passkey/)).toBeNull();
    expect(button('Sign up with GitHub')).toBeTruthy();
    await userEvent.click(screen.getByRole('tab', { name: 'Password' }));
    expect(field('Password').getAttribute('autocomplete')).toBe('new-password');
  });

  it('have the password first when asked, or when it was used last in this browser', async () => {
    const fake = offering({ magicLinkEnabled: true });
    const first = await show(<SignIn firstTab="password" />, { with: fake });
    expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Password', 'Email code']);
    expect(field('Password')).toBeTruthy();
    first.unmount();

    localStorage.setItem('_STACK_AUTH.lastUsed', 'password');
    await show(<SignIn />, { with: fake });
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Password');
  });

  it.each(['password', 'passkey', 'github'])('of a mock project do not follow the own last method %s', async method => {
    localStorage.setItem('_STACK_AUTH.lastUsed', method);
    await show(<AuthPage type="sign-in" mockProject={{ config: project(everything).config }} />, {
      with: offering(everything),
    });
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email code');
    expect(screen.queryByText('Last used')).toBeNull();
  });

  it('lead from a refused email code to the password, with the typed address, each time', async () => {
    const fake = offering({ magicLinkEnabled: true });
    fake.app.sendMagicLinkEmail.mockRejectedValue(new KnownErrors.UserWithEmailAlreadyExists('ada@example.com'));
    const { container } = await show(<SignIn />, { with: fake });
    const visitor = userEvent.setup();
    for (const address of ['ada@example.com', '']) {
      expect(screen.queryByRole('button', { name: 'Use your password' })).toBeNull();
      await visitor.type(field('Email'), `${address}{Enter}`);
      expect(screen.getByRole('alert').textContent).toContain('Sign in another way.');
      expect(await violations(container)).toEqual([]);
      await visitor.click(button('Use your password'));
      expect(field('Email')).toHaveProperty('value', 'ada@example.com');
      expect(document.activeElement).toBe(field('Email'));
      expect(field('Password')).toBeTruthy();
      await visitor.click(screen.getByRole('tab', { name: 'Email code' }));
    }
  });

  it('lead from a locked password to the email code, with the typed address', async () => {
    const fake = offering({ magicLinkEnabled: true });
    const locked = new RequestError('too-many-requests', 'slow', { status: 429, retryAfterMs: 881_000 });
    fake.app.signInWithCredential.mockRejectedValue(locked);
    const { container } = await show(<SignIn firstTab="password" />, { with: fake });
    const visitor = userEvent.setup();
    expect(screen.queryByRole('button', { name: 'Email me a code' })).toBeNull();
    await visitor.type(field('Email'), 'ada@example.com');
    await visitor.type(field('Password'), 'quiet lantern orbit{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('Try again in 15 min.');
    expect(await violations(container)).toEqual([]);

    await visitor.click(button('Email me a code'));
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email code');
    expect(document.activeElement).toBe(field('Email'));
    await visitor.keyboard('{Enter}');
    expect(code()).toBeTruthy();
  });

  it('do not lead from a locked password to the email code where the project has none', async () => {
    const fake = offering({});
    fake.app.signInWithCredential.mockRejectedValue(new RequestError('too-many-requests', 'slow'));
    await show(<SignIn />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com');
    await visitor.type(field('Password'), 'quiet lantern orbit{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('Try again in 1 min.');
    expect(screen.queryByRole('button', { name: 'Email me a code' })).toBeNull();
  });

  it('send a code after a sign-in and a sign-out on the same page', async () => {
    const fake = offering({ magicLinkEnabled: true });
    await show(<SignIn firstTab="password" />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com');
    await visitor.type(field('Password'), 'quiet lantern orbit{Enter}');
    await act(async () => fake.readers.user.set(user()));
    expect(heading().textContent).toBe("You're signed in");
    await act(async () => fake.readers.user.set(null));

    await visitor.click(screen.getByRole('tab', { name: 'Email code' }));
    await visitor.type(field('Email'), 'ada@example.com{Enter}');
    expect(code()).toBeTruthy();
  });

  it('change tabs by arrow keys and keep the typed address', async () => {
    await show(<SignIn />, { with: offering({ magicLinkEnabled: true }) });
    const visitor = userEvent.setup();
    await visitor.type(field('Email'), 'ada@example.com');
    await act(async () => screen.getByRole('tab', { selected: true }).focus());
    await visitor.keyboard('{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('Password');
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
    await visitor.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Email code');
  });

  it('are a form alone, or buttons alone, without a separator', async () => {
    const form = await show(<SignIn />, { with: offering({ credentialEnabled: false, magicLinkEnabled: true }) });
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByText('or')).toBeNull();
    form.unmount();

    await show(<SignIn />, { with: offering({ credentialEnabled: false, oauthProviders: [{ id: 'github' }] }) });
    expect(button('Sign in with GitHub')).toBeTruthy();
    expect(screen.queryByText('or')).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('do not include a passkey for sign-up', async () => {
    await show(<SignUp />, { with: offering({ credentialEnabled: false, passkeyEnabled: true }) });
    expect(screen.getByRole('alert').textContent).toContain('No sign-in method is turned on');
  });
});
