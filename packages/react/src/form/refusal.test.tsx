import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { MFA, SignIn } from '../lazy/parts.tsx';
import { fakeApp } from '../test/fake-app.ts';
import { show } from '../test/show.tsx';
import { button, code, field, refusal } from '../test/sign-in-page.ts';

let observer: MutationObserver | undefined;
afterEach(() => observer?.disconnect());

/** What a value was after each change of the page that showed a text. A key of the user can come after each of them. */
function valuesWith<Value>(text: RegExp, read: () => Value): ReadonlySet<Value> {
  const seen = new Set<Value>();
  observer = new MutationObserver(() => {
    if (screen.queryByText(text)) seen.add(read());
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  return seen;
}

describe('a form that the server refuses', () => {
  it('takes the next submit from the moment that it shows the problem', async () => {
    const fake = fakeApp();
    fake.app.signInWithCredential.mockResolvedValueOnce(refusal('EMAIL_PASSWORD_MISMATCH'));
    await show(<SignIn fullPage />, { with: fake });
    await userEvent.type(field('Email'), 'ada@example.com');
    await userEvent.type(field('Password'), 'not the password');
    const busy = valuesWith(/Incorrect email or password/, () => button('Sign in').getAttribute('aria-busy'));
    await userEvent.keyboard('{Enter}');
    expect([...busy]).toEqual([null]);
  });

  it('takes the next code from the moment that it shows the problem', async () => {
    sessionStorage.setItem('stack_mfa_attempt_code', 'att3mpt');
    const fake = fakeApp();
    fake.app.signInWithMfa.mockResolvedValueOnce(refusal('INVALID_TOTP_CODE'));
    await show(<MFA fullPage />, { with: fake });
    const readOnly = valuesWith(/Incorrect code/, () => (code() as HTMLInputElement).readOnly);
    await userEvent.keyboard('000000');
    expect([...readOnly]).toEqual([false]);
  });
});
