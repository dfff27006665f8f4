// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { buttonClass } from './button-class.ts';

afterEach(cleanup);

/** A button that another one replaces. */
function Opened() {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <Button key="cancel" onClick={() => setOpen(false)}>
      Cancel
    </Button>
  ) : (
    <Button onClick={() => setOpen(true)}>Open</Button>
  );
}

describe('Button', () => {
  test('has type button by default', () => {
    render(
      <>
        <Button>Save</Button>
        <Button type="submit">Send</Button>
      </>,
    );

    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('type')).toBe('button');
    expect(screen.getByRole('button', { name: 'Send' }).getAttribute('type')).toBe('submit');
  });

  test('passes native props and its ref through and puts className last', () => {
    const ref = vi.fn();
    render(
      <Button ref={ref} title="Tip" className="mine">
        Save
      </Button>,
    );

    const button = screen.getByRole('button', { name: 'Save' });
    expect(button.title).toBe('Tip');
    expect(button.className.startsWith('tessera-button ')).toBe(true);
    expect(button.className.endsWith(' mine')).toBe(true);
    expect(ref).toHaveBeenCalledWith(button);
  });

  test('keeps its name and focus while busy, and is announced as busy', async () => {
    const { rerender } = render(<Button>Save</Button>);
    screen.getByRole('button').focus();
    rerender(<Button busy>Save</Button>);

    const button = screen.getByRole('button', { name: 'Save' });
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(button);
  });

  test('ignores clicks while busy', async () => {
    const onClick = vi.fn();
    render(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    );

    await userEvent.click(screen.getByRole('button'));
    expect(onClick).not.toHaveBeenCalled();
  });

  test('does not submit its form while busy, by pointer or by key', async () => {
    const onSubmit = vi.fn(event => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <input aria-label="Name" />
        <Button type="submit" busy>
          Send
        </Button>
      </form>,
    );

    await userEvent.click(screen.getByRole('button'));
    await userEvent.type(screen.getByRole('textbox'), 'Ada{Enter}');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('the second click of a double click does nothing on a button that the first one put in its place', async () => {
    render(<Opened />);

    fireEvent.click(screen.getByRole('button', { name: 'Open' }), { detail: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }), { detail: 2 });
    expect(screen.queryByRole('button', { name: 'Cancel' })).not.toBeNull();

    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }), { detail: 1 });
    expect(screen.queryByRole('button', { name: 'Open' })).not.toBeNull();
  });

  test('is busy until the promise of its click handler settles, so a double click acts once', async () => {
    let finish = () => {};
    const onClick = vi.fn(() => new Promise<void>(resolve => (finish = resolve)));
    render(<Button onClick={onClick}>Save</Button>);
    const button = screen.getByRole('button', { name: 'Save' });

    act(() => {
      fireEvent.click(button);
      fireEvent.click(button);
    });
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(button.getAttribute('aria-busy')).toBe('true');

    await act(async () => finish());
    expect(button.hasAttribute('aria-busy')).toBe(false);
    await userEvent.click(button);
    expect(onClick).toHaveBeenCalledTimes(2);
  });

  test('whose click left the page takes clicks again when the Back button restores the page, not when it first loads', async () => {
    const onClick = vi.fn(() => new Promise<void>(() => {}));
    render(<Button onClick={onClick}>Connect</Button>);
    const button = screen.getByRole('button', { name: 'Connect' });
    const show = (persisted: boolean) =>
      act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })));

    await userEvent.click(button);
    show(false);
    expect(button.getAttribute('aria-busy')).toBe('true');

    show(true);
    expect(button.hasAttribute('aria-busy')).toBe(false);
    await userEvent.click(button);
    expect(onClick).toHaveBeenCalledTimes(2);
  });
});

describe('buttonClass', () => {
  test('has a default variant and size', () => {
    expect(buttonClass()).toBe(buttonClass({ variant: 'primary', size: 'md' }));
  });

  test('gives a link no box, in every size', () => {
    expect(buttonClass({ variant: 'link', size: 'lg' })).toBe(buttonClass({ variant: 'link' }));
    expect(buttonClass({ variant: 'link' })).not.toContain('tss:min-h');
  });
});
