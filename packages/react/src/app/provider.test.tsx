import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { AccountSettings, SignIn } from '../lazy/parts.tsx';
import { fakeApp, setReader } from '../test/fake-app.ts';
import { signedInApp } from '../test/settings-page.tsx';
import { settle, show } from '../test/show.tsx';
import { TesseraProvider } from './provider.tsx';

afterEach(() => history.replaceState(null, '', '/'));

test('a provider of the same project inside another one keeps its language and its texts', async () => {
  const fake = fakeApp();
  const page = (
    <TesseraProvider app={fake.app}>
      <SignIn />
    </TesseraProvider>
  );
  await show(page, { with: fake, lang: 'de', translationOverrides: { 'Sign in': 'Einloggen' } });
  await settle();
  expect(screen.getByRole('heading').textContent).toBe('Einloggen');
  expect(screen.getByRole('link', { name: 'Konto anlegen' })).toBeTruthy();
});

test('a provider inside another one that names a language has it', async () => {
  const fake = fakeApp();
  const page = (
    <TesseraProvider app={fake.app} lang="en">
      <SignIn />
    </TesseraProvider>
  );
  await show(page, { with: fake, lang: 'de' });
  await settle();
  expect(screen.getByRole('heading').textContent).toBe('Sign in');
});

test('a provider of another project inside another one has its own language', async () => {
  const other = fakeApp();
  Object.assign(other.app, { projectId: 'other' });
  const page = (
    <TesseraProvider app={other.app}>
      <SignIn />
    </TesseraProvider>
  );
  await show(page, { lang: 'de' });
  await settle();
  expect(screen.getByRole('heading').textContent).toBe('Sign in');
});

test('a provider of the same project inside another one keeps its scopes of API keys', async () => {
  history.replaceState(null, '', '#api-keys');
  const config = { allowUserApiKeys: true };
  const fake = signedInApp({ config, reads: { listApiKeys: setReader<unknown>([]) } });
  const page = (
    <TesseraProvider app={fake.app}>
      <AccountSettings />
    </TesseraProvider>
  );
  await show(page, { with: fake, apiKeyScopes: ['read', 'write'] });
  await settle();
  await userEvent.click(screen.getByRole('button', { name: 'Create API key' }));
  const group = within(screen.getByRole('group', { name: 'Scopes' }));
  expect(group.getAllByRole('checkbox')).toHaveLength(2);
});
