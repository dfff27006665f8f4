// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { Field } from './field.tsx';
import { FormSummary } from './form-summary.tsx';
import { Input } from './input.tsx';

afterEach(cleanup);

function describedText(control: HTMLElement): string[] {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map(id => document.getElementById(id)?.textContent ?? 'nothing');
}

describe('Field', () => {
  test('labels its control', () => {
    render(
      <Field label="Email">
        <Input type="email" />
      </Field>,
    );

    const input = screen.getByRole('textbox', { name: 'Email' });
    expect(input.hasAttribute('aria-describedby')).toBe(false);
    expect(input.hasAttribute('aria-invalid')).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('describes its control by the error first, then by the hint, and marks it as invalid', () => {
    render(
      <Field label="Email" description="We send a code." error="This is no address.">
        <Input />
      </Field>,
    );

    const input = screen.getByRole('textbox', { name: 'Email' });
    expect(describedText(input)).toEqual(['This is no address.', 'We send a code.']);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('This is no address.');
  });

  test('puts the control before the action in the tab order', async () => {
    render(
      <Field label="Password" action={<a href="#forgot">Forgot?</a>}>
        <Input />
      </Field>,
    );

    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Forgot?' }));
  });
});

describe('FormSummary', () => {
  test('is announced and receives the focus', () => {
    render(<FormSummary title="That did not work" />);
    screen.getByRole('alert').focus();
    expect(screen.getByRole('alert').textContent).toBe('That did not work');
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });
});
