// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Avatar } from './avatar.tsx';
import { initialsOf } from './display/initials.ts';
import { PasswordStrength } from './form/password-strength.tsx';
import { MessageCard } from './layout/message-card.tsx';
import { Page } from './layout/page.tsx';
import { Separator } from './layout/separator.tsx';
import { Spinner } from './spinner.tsx';

afterEach(cleanup);

test('a message card has a heading, a text, and the secondary button before the primary one', async () => {
  const goHome = vi.fn();
  const signOut = vi.fn();
  render(
    <MessageCard
      title="You are signed in"
      primaryButtonText="Home"
      primaryAction={goHome}
      secondaryButtonText="Sign out"
      secondaryAction={signOut}
    >
      As Ada.
    </MessageCard>,
  );

  expect(screen.getByRole('heading', { level: 1, name: 'You are signed in' })).toBeTruthy();
  expect(screen.getByText('As Ada.')).toBeTruthy();
  expect(screen.getAllByRole('button').map(button => button.textContent)).toEqual(['Sign out', 'Home']);

  await userEvent.click(screen.getByRole('button', { name: 'Home' }));
  expect([goHome.mock.calls.length, signOut.mock.calls.length]).toEqual([1, 0]);
});

test('the button of a message card is busy while its action runs', async () => {
  let finish = () => {};
  render(
    <MessageCard
      title="Join?"
      primaryButtonText="Join"
      primaryAction={() => new Promise<void>(resolve => (finish = resolve))}
    />,
  );

  await userEvent.click(screen.getByRole('button', { name: 'Join' }));
  expect(screen.getByRole('button', { name: 'Join' }).getAttribute('aria-busy')).toBe('true');

  await act(async () => finish());
  expect(screen.getByRole('button', { name: 'Join' }).hasAttribute('aria-busy')).toBe(false);
});

test('a message card without button texts has no buttons', () => {
  render(<MessageCard title="Done" />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a full page is the main landmark, an inline page is not', () => {
  const { rerender } = render(<Page fullPage>Words</Page>);
  expect(screen.getByRole('main').textContent).toBe('Words');

  rerender(<Page>Words</Page>);
  expect(screen.queryByRole('main')).toBeNull();
});

test('an avatar shows its image, and the initials when the image does not load', () => {
  const { container } = render(<Avatar src="https://example.com/ada.png" initials="AD" label="Ada Lovelace" />);
  expect(screen.getByRole('img', { name: 'Ada Lovelace' }).textContent).toBe('');

  const image = container.querySelector('img');
  if (image) fireEvent.error(image);
  expect(screen.getByRole('img', { name: 'Ada Lovelace' }).textContent).toBe('AD');
});

test('an avatar tries a new image after a broken one', () => {
  const { container, rerender } = render(<Avatar src="broken.png" initials="AD" />);
  const image = container.querySelector('img');
  if (image) fireEvent.error(image);

  rerender(<Avatar src="new.png" initials="AD" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('new.png');
});

test('an avatar without a name is decorative', () => {
  render(<Avatar />);
  expect(screen.queryByRole('img')).toBeNull();
});

test.each([
  ['Ada Lovelace', 'AD'],
  ['ada@example.com', 'AD'],
  ['  é', 'É'],
  ['_x', 'X'],
  ['王小明', '王小'],
  ['', ''],
  ['🙂', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a separator has the role separator only without text', () => {
  render(
    <>
      <Separator />
      <Separator>or</Separator>
    </>,
  );

  expect(screen.getAllByRole('separator')).toHaveLength(1);
  expect(screen.getByText('or').getAttribute('role')).toBeNull();
});

test('a spinner is decorative unless it has a name', () => {
  const { rerender } = render(<Spinner />);
  expect(screen.queryByRole('img')).toBeNull();

  rerender(<Spinner label="Loading" />);
  expect(screen.getByRole('img', { name: 'Loading' })).toBeTruthy();
});

test('the strength meter announces its level in words', () => {
  const levelLabels = { 0: 'Nothing yet', 1: 'Weak', 2: 'Fair', 3: 'Good', 4: 'Strong' };
  const { rerender } = render(<PasswordStrength value="" label="Strength" levelLabels={levelLabels} />);
  expect(screen.getByRole('meter', { name: 'Strength' }).getAttribute('aria-valuetext')).toBe('Nothing yet');

  rerender(<PasswordStrength value="password1" label="Strength" levelLabels={levelLabels} />);
  expect(screen.getByRole('meter', { name: 'Strength' }).getAttribute('aria-valuenow')).toBe('1');
  expect(screen.getByText('Weak')).toBeTruthy();
});
