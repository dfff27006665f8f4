import { KnownError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import { type FakeApp, fakeApp, project } from './fake-app.ts';

export const heading = () => screen.getByRole('heading', { level: 1 });
export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
export const code = () => screen.getByLabelText(/^Six-(character|digit) code$/, { selector: 'input' });
export const everything = {
  credentialEnabled: true,
  magicLinkEnabled: true,
  passkeyEnabled: true,
  oauthProviders: [{ id: 'google' }, { id: 'github' }, { id: 'acme' }],
};

export function offering(config: Parameters<typeof project>[0]): FakeApp {
  const fake = fakeApp();
  fake.readers.project.set(project(config));
  return fake;
}

export function known(errorCode: string): never {
  return KnownError.fromJson({ code: errorCode }) as never;
}

export function refusal(errorCode: string): never {
  return { status: 'error', error: known(errorCode) } as never;
}

/** The event that shows a page: `persisted` when the Back button restores it. */
export async function showPage(persisted: boolean) {
  await act(async () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })));
}
