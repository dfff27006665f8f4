import { act, render } from '@testing-library/react';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { TesseraProvider, type TesseraProviderProps } from '../app/provider.tsx';
import { type FakeApp, fakeApp } from './fake-app.ts';

// Loaded first, so that no test waits for the chunks of lazy parts.
import '../components/account-settings/account-settings.tsx';
import '../components/account-settings/auth/second-factor/new-recovery-codes.tsx';
import '../components/account-settings/auth/second-factor/qr-code.tsx';
import '../components/account-settings/profile/crop-dialog.tsx';
import '../components/auth-page/auth-page.tsx';
import '../components/cli-login/cli-auth-confirmation.tsx';
import '../components/codes/email-verification.tsx';
import '../components/cards/error-page.tsx';
import '../components/cards/failure-page.tsx';
import '../components/cards/loading-page.tsx';
import '../components/password-reset/forgot-password.tsx';
import '../components/codes/magic-link-callback.tsx';
import '../components/second-factor/mfa.tsx';
import '../components/oauth/oauth-callback.tsx';
import '../components/password-reset/password-reset.tsx';
import '../components/reauthentication/reauthentication-dialog.tsx';
import '../components/teams/selected-team-switcher.tsx';
import '../components/sign-out/sign-out.tsx';
import '../components/teams/team-creation.tsx';
import '../components/teams/team-invitation.tsx';
import '../components/user-button/user-avatar.tsx';
import '../components/user-button/user-button.tsx';
import '../handler/notice-cards.tsx';
import '../words/de.ts';

interface ShowOptions extends Partial<Omit<TesseraProviderProps, 'app' | 'children'>> {
  with?: FakeApp;
}

/** Renders in a provider and waits until lazy parts are loaded. */
export async function show(children: ReactNode, { with: fake = fakeApp(), ...provider }: ShowOptions = {}) {
  const inProvider = (node: ReactNode) => (
    <TesseraProvider app={fake.app} {...provider}>
      {node}
    </TesseraProvider>
  );
  const view = render(inProvider(children));
  await settle();
  return { ...fake, ...view, rerender: (node: ReactNode) => view.rerender(inProvider(node)) };
}

/** Lets imports and promises settle. */
export async function settle() {
  await act(() => vi.dynamicImportSettled());
  await act(() => new Promise(resolve => setTimeout(resolve)));
}

/** The violations that axe finds. Colors are checked in a real browser. */
export async function violations(container: Element): Promise<string[]> {
  const results = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
}
