import { RequestError } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { CredentialSignUp, SignUp } from '../../lazy/parts.tsx';
import type { FakeApp } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';
import { button, code, field, known, offering, refusal } from '../../test/sign-in-page.ts';

/** Signs up in a project that asks for the code of the verification email. */
async function signUp(page = <SignUp />) {
  const fake = offering({ magicLinkEnabled: false });
  fake.app.signUpWithCredential.mockImplementation(async ({ onVerificationCode }) => {
    await onVerificationCode?.('-n1');
    return { status: 'ok', data: undefined };
  });
  const { container } = await show(page, { with: fake });
  const visitor = userEvent.setup();
  await visitor.type(field('Email'), 'ada@example.com');
  await visitor.type(field('Password'), 'quiet lantern orbit{Enter}');
  await settle();
  expect(screen.getByText('ada@example.com')).toBeDefined();
  return { fake, visitor, container };
}

const hasLeft = (fake: FakeApp) => vi.mocked(fake.app.redirectToAfterSignUp).mock.calls.length === 1;

describe('the code of the verification email after a sign-up', () => {
  it('is completed by the nonce, and then the page is left', async () => {
    const { fake, visitor, container } = await signUp();
    expect(screen.getByRole('heading', { name: 'Check your email' })).toBeDefined();
    expect(await violations(container)).toEqual([]);
    expect(hasLeft(fake)).toBe(false);
    await visitor.type(code(), 'a1b2c3');
    await settle();
    expect(fake.app.verifyEmail).toHaveBeenCalledExactlyOnceWith('A1B2C3-n1');
    expect(hasLeft(fake)).toBe(true);
  });

  it('stays with a wrong code, and accepts one that the link has used', async () => {
    const { fake, visitor } = await signUp();
    fake.app.verifyEmail.mockResolvedValueOnce(refusal('VERIFICATION_CODE_NOT_FOUND'));
    await visitor.type(code(), 'a1b2c3');
    await settle();
    expect(screen.getByText('Incorrect code. Check it or request a new one.')).toBeDefined();
    expect(hasLeft(fake)).toBe(false);
    fake.app.verifyEmail.mockResolvedValueOnce(refusal('VERIFICATION_CODE_ALREADY_USED'));
    await visitor.type(code(), 'a1b2c4');
    await settle();
    expect(hasLeft(fake)).toBe(true);
  });

  it('goes to another address after the address of the account was corrected', async () => {
    const { fake, visitor, container } = await signUp();
    const update = vi.fn(async () => {});
    update.mockRejectedValueOnce(known('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'));
    const listContactChannels = async () => [{ isPrimary: false }, { isPrimary: true, update }];
    fake.app.getUser.mockResolvedValue({ listContactChannels } as never);
    fake.app.sendVerificationCode.mockResolvedValue('-n2');

    await visitor.click(button('Change: Email'));
    expect(document.activeElement).toBe(field('Email'));
    expect(field('Email')).toHaveProperty('value', 'ada@example.com');
    expect(await violations(container)).toEqual([]);
    await visitor.clear(field('Email'));
    await visitor.type(field('Email'), 'ada@lovelace.example{Enter}');
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('Someone else signs in with this address.');
    await visitor.click(button('Email me a code'));
    await settle();
    expect(update).toHaveBeenLastCalledWith({ value: 'ada@lovelace.example' });
    expect(screen.getByText('ada@lovelace.example')).toBeDefined();
    await visitor.type(code(), 'a1b2c3');
    await settle();
    expect(fake.app.verifyEmail).toHaveBeenCalledExactlyOnceWith('A1B2C3-n2');
    expect(hasLeft(fake)).toBe(true);
  });

  it('is sent again to the same address when nothing was corrected', async () => {
    const { fake, visitor } = await signUp();
    fake.app.sendVerificationCode.mockResolvedValue('-n2');
    await visitor.click(button('Change: Email'));
    await visitor.click(button('Cancel'));
    expect(code()).toBeDefined();
    await visitor.click(button('Change: Email'));
    await visitor.click(button('Email me a code'));
    await settle();
    expect(fake.app.getUser).not.toHaveBeenCalled();
    expect(fake.app.sendVerificationCode).toHaveBeenCalledOnce();
    expect(screen.getByText('ada@example.com')).toBeDefined();
  });

  it('can wait: the page is left without it', async () => {
    const { fake, visitor } = await signUp();
    await visitor.click(button('Not now'));
    await settle();
    expect(fake.app.verifyEmail).not.toHaveBeenCalled();
    expect(hasLeft(fake)).toBe(true);
  });

  it('a page that cannot be left says why, and can be left with the next click', async () => {
    const { fake, visitor } = await signUp();
    vi.mocked(fake.app.redirectToAfterSignUp).mockRejectedValueOnce(new RequestError('unreachable', 'no'));
    await visitor.click(button('Not now'));
    await settle();
    expect(screen.getByText("We can't reach the server.", { exact: false })).toBeDefined();
    await visitor.click(button('Not now'));
    await settle();
    expect(fake.app.redirectToAfterSignUp).toHaveBeenCalledTimes(2);
  });

  it('the form of a host app asks for it too, without a card', async () => {
    const { fake, visitor } = await signUp(<CredentialSignUp />);
    expect(screen.queryByRole('heading')).toBeNull();
    await visitor.type(code(), 'a1b2c3');
    await settle();
    expect(fake.app.verifyEmail).toHaveBeenCalledExactlyOnceWith('A1B2C3-n1');
    expect(hasLeft(fake)).toBe(true);
  });
});
