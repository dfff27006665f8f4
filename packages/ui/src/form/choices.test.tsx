// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Badge } from '../badge.tsx';
import { Dialog } from '../dialog.tsx';
import { Bell } from '../icons.tsx';
import { Page } from '../layout/page.tsx';
import { Tabs } from '../tabs.tsx';
import { Checkbox } from './checkbox.tsx';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';
import { Select } from './select.tsx';
import { Switch } from './switch.tsx';

afterEach(cleanup);

function Code({
  kind = 'letters',
  readOnly = false,
  start = '',
}: {
  kind?: 'digits' | 'letters';
  readOnly?: boolean;
  start?: string;
}) {
  const [value, setValue] = useState(start);
  return (
    <Field label="Code">
      <CodeInput kind={kind} value={value} onChange={setValue} readOnly={readOnly} />
    </Field>
  );
}

const code = () => screen.getByLabelText<HTMLInputElement>('Code');

function pasteOn(target: Element, text: string) {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  act(() => void fireEvent(target, new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })));
}

describe('CodeInput', () => {
  test('is one input that phones and password managers recognise, wired to its field', () => {
    render(<Code kind="digits" />);
    expect(screen.getAllByRole('textbox')).toEqual([code()]);
    expect(code().autocomplete).toBe('one-time-code');
    expect(code().inputMode).toBe('numeric');
  });

  test.each([
    ['letters', 'a1-b2 c3d4', 'A1B2C3'],
    ['digits', 'a1-2 3b', '123'],
    ['digits', '٠١٩', '019'],
    ['digits', '۰۱۹', '019'],
    ['letters', 'a۱b٢', 'A1B2'],
  ] as const)('takes %s from what is typed: %s', async (kind, typed, value) => {
    render(<Code kind={kind} />);
    await userEvent.type(code(), typed);
    expect(code().value).toBe(value);
  });

  test('accepts a code pasted into it or onto the page, but not one pasted into another input, nor other text', () => {
    render(
      <>
        <Code />
        <input aria-label="Other" />
        <p>Words</p>
      </>,
    );
    pasteOn(code(), ' abc-123 ');
    expect(code().value).toBe('ABC123');
    pasteOn(screen.getByText('Words'), 'xyz 789');
    expect(code().value).toBe('XYZ789');
    expect(document.activeElement).toBe(code());
    pasteOn(screen.getByText('Words'), 'abc');
    pasteOn(screen.getByLabelText('Other'), 'abc123');
    expect(code().value).toBe('XYZ789');
  });

  test.each([
    ['letters', 'Sign in to Demo: Your code is PM3CPS', 'PM3CPS'],
    ['letters', 'PM3CPS is your code. Thanks!', 'PM3CPS'],
    ['letters', 'pm3-cps-extra', 'PM3CPS'],
    ['digits', 'Your code is 123456. It expires in 15 minutes.', '123456'],
  ] as const)('takes the code of %s from pasted text that is longer: %s', (kind, text, value) => {
    render(<Code kind={kind} />);
    pasteOn(code(), text);
    expect(code().value).toBe(value);
  });

  test('accepts nothing while it is read only, and keeps the focus', () => {
    render(<Code readOnly start="ABC123" />);
    act(() => code().focus());
    pasteOn(document.body, 'XYZ789');
    expect(code().value).toBe('ABC123');
    expect(document.activeElement).toBe(code());
  });
});

describe('Dialog', () => {
  test('is modal and named, and Escape closes it only when that is allowed', () => {
    const onClose = vi.fn();
    const { rerender } = render(
      <Dialog title="Sure?" onClose={onClose}>
        Words
      </Dialog>,
    );
    const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Sure?' });
    expect(dialog.open).toBe(true);
    act(() => void dialog.dispatchEvent(new Event('cancel', { cancelable: true })));
    expect(onClose).toHaveBeenCalledOnce();
    expect(dialog.open).toBe(true);

    rerender(<Dialog title="Sure?">Words</Dialog>);
    const cancel = new Event('cancel', { cancelable: true });
    act(() => void dialog.dispatchEvent(cancel));
    expect(cancel.defaultPrevented).toBe(true);
  });

  test('without onClose it forbids browsers to close it, and opens again when a browser has closed it', () => {
    const { rerender } = render(<Dialog title="Your new key">Words</Dialog>);
    const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Your new key' });
    expect(dialog.getAttribute('closedby')).toBe('none');
    act(() => dialog.close());
    expect(dialog.open).toBe(true);

    rerender(
      <Dialog title="Your new key" onClose={() => {}}>
        Words
      </Dialog>,
    );
    expect(dialog.hasAttribute('closedby')).toBe(false);
  });
});

describe('Tabs', () => {
  const tabs = [
    { id: 'a', label: 'One', content: 'first' },
    { id: 'b', label: 'Two', content: 'second' },
  ];

  test('shows one panel, and arrow keys move between tabs and wrap around', async () => {
    render(<Tabs label="Ways" initial="b" tabs={tabs} />);
    expect(screen.getByRole('tabpanel', { name: 'Two' }).textContent).toBe('second');
    expect(screen.queryByText('first')).toBeNull();
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe('Two');
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('One');
    expect(screen.getByRole('tabpanel', { name: 'One' })).toBeTruthy();
    await userEvent.click(screen.getByRole('tab', { name: 'Two' }));
    expect(screen.getByText('second')).toBeTruthy();
  });

  test('reverses the arrow keys in a right-to-left page', async () => {
    render(
      <div dir="rtl" style={{ direction: 'rtl' }}>
        <Tabs label="Ways" initial="a" tabs={[...tabs, { id: 'c', label: 'Three', content: 'third' }]} />
      </div>,
    );
    act(() => screen.getByRole('tab', { name: 'One' }).focus());
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement?.textContent).toBe('Two');
  });
});

test('Switch, Checkbox and Select are native controls with names', async () => {
  const onSwitch = vi.fn();
  render(
    <>
      <Switch label="Mail" description="Once a week" checked={false} onChange={onSwitch} />
      <Checkbox label="Kept" />
      <Field label="How long">
        <Select defaultValue="7">
          <option value="1">A day</option>
          <option value="7">A week</option>
        </Select>
      </Field>
      <Badge tone="primary">New</Badge>
    </>,
  );
  await userEvent.click(screen.getByRole('switch', { name: /Mail/ }));
  expect(onSwitch).toHaveBeenCalledExactlyOnceWith(true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Kept' }));
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'How long' }).value).toBe('7');
  expect(screen.getByText('New').dataset.tone).toBe('primary');
});

test('an icon is decorative unless it has a name', () => {
  const { container } = render(
    <>
      <Bell />
      <Bell aria-label="Bell" />
    </>,
  );
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByRole('img', { name: 'Bell' })).toBeTruthy();
});

test('a wide page is aligned to the top', () => {
  const { container } = render(<Page fullPage wide />);
  expect(container.querySelector('.tessera-page-wide')).not.toBeNull();
});
