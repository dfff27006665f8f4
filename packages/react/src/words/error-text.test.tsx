import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError } from '@tessera/client';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { settle, show } from '../test/show.tsx';
import { everything, offering, refusal } from '../test/sign-in-page.ts';
import { useErrorText } from './error-text.ts';

const root = join(import.meta.dirname, '../../../..');

/** The page of docs/custom-pages.md, in a file of its own as in an app. */
async function importPageOfGuide(): Promise<ComponentType> {
  const guide = readFileSync(join(root, 'docs/custom-pages.md'), 'utf8');
  const folder = join(root, '.cache/tessera/custom-pages');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sign-in.tsx'), /^```tsx\n(\/\/ sign-in\.tsx\n.*?)^```$/ms.exec(guide)?.[1] ?? '');
  const { SignInPage } = await import(join(folder, 'sign-in.tsx'));
  return SignInPage;
}

test('the page of the guide for custom pages shows why a password is refused', async () => {
  const SignInPage = await importPageOfGuide();
  const fake = offering(everything);
  fake.app.signInWithCredential.mockResolvedValueOnce(refusal('EMAIL_PASSWORD_MISMATCH'));
  await show(<SignInPage />, { with: fake });
  const visitor = userEvent.setup();
  await visitor.type(screen.getByLabelText('Email'), 'ada@example.com');
  await visitor.type(screen.getByLabelText('Password'), 'correct horse');
  await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Incorrect email or password.');
});

function Offline() {
  return <p>{useErrorText()(new RequestError('offline', 'away'))}</p>;
}

test.each([
  ['en', "You're offline. Check your connection."],
  ['de', 'Du bist offline. Versuche es noch einmal, sobald du verbunden bist.'],
])('useErrorText in a page of the app has the texts of the language of the provider: %s', async (lang, text) => {
  await show(<Offline />, { lang });
  await settle();
  expect(screen.getByText(text)).toBeTruthy();
});

test('useErrorText in a page of the app has the overrides of the provider', async () => {
  const translationOverrides = { "You're offline. Check your connection.": 'No connection.' };
  await show(<Offline />, { translationOverrides });
  expect(screen.getByText('No connection.')).toBeTruthy();
});
