import type { KnownError } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MagicLinkCallback, PasswordReset, TeamInvitation } from '../../lazy/parts.tsx';
import { button, refusal, searchParams, signedIn } from '../../test/code-pages.ts';
import { type FakeApp, fakeApp } from '../../test/fake-app.ts';
import { settle, show } from '../../test/show.tsx';

class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <p>caught {(error as KnownError).errorCode}</p>;
  }
}

describe('errors without a card of their own', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  const code = 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED';
  it.each([
    [
      'password reset',
      PasswordReset,
      (fake: FakeApp) => fake.app.verifyPasswordResetCode.mockResolvedValue(refusal(code)),
      undefined,
    ],
    [
      'magic link',
      MagicLinkCallback,
      (fake: FakeApp) => fake.app.signInWithMagicLink.mockResolvedValue(refusal(code)),
      'Sign in',
    ],
  ])('of the %s reach the error boundary', async (_, Page, answer, click) => {
    const fake = fakeApp();
    answer(fake);
    await show(
      <Boundary>
        <Page searchParams={searchParams} />
      </Boundary>,
      { with: fake },
    );
    if (click) await userEvent.click(button(click));
    await settle();
    expect(screen.getByText(`caught ${code}`)).toBeTruthy();
  });

  it('reach the error boundary from the team invitation too', async () => {
    const fake = signedIn();
    fake.app.verifyTeamInvitationCode.mockResolvedValue(refusal(code));
    await show(
      <Boundary>
        <TeamInvitation searchParams={searchParams} />
      </Boundary>,
      { with: fake },
    );
    expect(screen.getByText(`caught ${code}`)).toBeTruthy();
  });
});
