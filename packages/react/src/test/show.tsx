import { act, cleanup, configure, render } from '@testing-library/react';
import axe from 'axe-core';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { TesseraProvider, type TesseraProviderProps } from '../provider.tsx';
import { type FakeApp, fakeApp } from './fake-app.ts';

// Loaded beforehand, so that no test waits for the files of a lazy part.
import '../components/account-settings/account-settings.tsx';
import '../components/account-settings/auth/qr-code.tsx';
import '../components/account-settings/crop-dialog.tsx';
import '../components/auth-page.tsx';
import '../components/cli-auth-confirmation.tsx';
import '../components/email-verification.tsx';
import '../components/error-page.tsx';
import '../components/forgot-password.tsx';
import '../components/magic-link-callback.tsx';
import '../components/mfa.tsx';
import '../components/oauth-callback.tsx';
import '../components/password-reset.tsx';
import '../components/selected-team-switcher.tsx';
import '../components/sign-out.tsx';
import '../components/team-creation.tsx';
import '../components/team-invitation.tsx';
import '../components/user-avatar.tsx';
import '../components/user-button.tsx';
import '../handler/notice-cards.tsx';
import '../words/de.ts';

// Axe looks at whole pages, on machines that are busy with other tests. What is waited for ends the wait, so that a long
// limit costs nothing: the library's own of a second fails where the machine is busy.
vi.setConfig({ testTimeout: 30_000 });
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});

interface ShowOptions extends Partial<Omit<TesseraProviderProps, 'app' | 'children'>> {
  with?: FakeApp;
}

/** Renders in a provider and waits until lazy parts are there. */
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

/** Lets imports and promises finish. */
export async function settle() {
  await act(() => vi.dynamicImportSettled());
  await act(() => new Promise(resolve => setTimeout(resolve)));
}

/** What axe finds wrong. Colours are looked at in a real browser. */
export async function violations(container: Element): Promise<string[]> {
  const results = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
}
