import { KnownError } from '@tessera/client';
import { screen } from '@testing-library/react';
import { type FakeApp, fakeApp, user } from './fake-app.ts';

export const searchParams = { code: 'c0de' };
export const heading = () => screen.getByRole('heading', { level: 1 });
export const button = (name: string) => screen.getByRole('button', { name });
export const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });

export function known(code: string): never {
  return KnownError.fromJson({ code }) as never;
}

export function refusal(code: string): never {
  return { status: 'error', error: known(code) } as never;
}

export function signedIn(): FakeApp {
  const fake = fakeApp();
  fake.readers.user.set(user());
  return fake;
}
