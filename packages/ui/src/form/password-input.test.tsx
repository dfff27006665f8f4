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

describe('PasswordInput', () => {
  test('hides the password until its button is pressed, and hides it again', async () => {
    const input = renderPassword();
    expect(input.type).toBe('password');

    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(input.type).toBe('text');

    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(input.type).toBe('password');
  });

  test('keeps the focus in the input when its button is pressed', async () => {
    const input = renderPassword();
    await userEvent.click(input);
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(document.activeElement).toBe(input);
  });

  test('has its text from left to right and its button behind it on a page from right to left', () => {
    const frame = renderPassword().closest('[dir]');
    expect(frame?.getAttribute('dir')).toBe('ltr');
    expect(frame?.contains(screen.getByRole('button', { name: 'Show password' }))).toBe(true);
  });

  test('shows that caps lock is on until it is off', async () => {
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

  test('shows no caps lock hint when it is not focused', async () => {
    const user = userEvent.setup();
    const input = renderPassword();
    await user.click(input);
    await user.keyboard('{CapsLock}a');

    await user.tab();
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('accepts a pasted password', async () => {
    const input = renderPassword();
    await userEvent.click(input);
    await userEvent.paste('correct horse');
    expect(input.value).toBe('correct horse');
  });
});
