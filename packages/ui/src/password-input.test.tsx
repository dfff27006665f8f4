// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { Field } from './field.tsx';
import { PasswordInput } from './password-input.tsx';

afterEach(cleanup);

function renderPassword() {
  render(
    <Field label="Password">
      <PasswordInput showLabel="Show password" hideLabel="Hide password" capsLockHint="Caps lock is on" />
    </Field>,
  );
  return screen.getByLabelText<HTMLInputElement>('Password');
}

describe('a password input', () => {
  test('hides what is typed until its button is pressed, and hides it again', async () => {
    const input = renderPassword();
    expect(input.type).toBe('password');

    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input.type).toBe('text');

    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(input.type).toBe('password');
  });

  test('keeps the focus where the typing is when its button is pressed', async () => {
    const input = renderPassword();
    await userEvent.click(input);
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(document.activeElement).toBe(input);
  });

  test('says that caps lock is on until it is off', async () => {
    const user = userEvent.setup();
    const input = renderPassword();
    const hint = screen.getByRole('status');
    await user.click(input);
    await user.keyboard('a');
    expect(hint.textContent).toBe('');

    await user.keyboard('{CapsLock}a');
    expect(hint.textContent).toBe('Caps lock is on');

    await user.keyboard('{CapsLock}b');
    expect(hint.textContent).toBe('');
  });

  test('says nothing about caps lock when it is left', async () => {
    const user = userEvent.setup();
    const input = renderPassword();
    await user.click(input);
    await user.keyboard('{CapsLock}a');

    await user.tab();
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('takes what is pasted', async () => {
    const input = renderPassword();
    await userEvent.click(input);
    await userEvent.paste('correct horse');
    expect(input.value).toBe('correct horse');
  });
});
