import { type CurrentUser, KnownError, type Team } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { AccountSettings } from '../lazy/parts.tsx';
import { type FakeApp, type FakeReads, fakeApp, project, setReader, user, withReads } from './fake-app.ts';
import { settle, show } from './show.tsx';

export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const maybeButton = (name: string | RegExp) => screen.queryByRole('button', { name });
export const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
export const section = (name: string) => within(screen.getByRole('region', { name }));
export const sidebar = () =>
  within(screen.getByRole('navigation'))
    .getAllByRole('link')
    .map(link => link.getAttribute('href'));

/** Opens the menu of a row and chooses an action. */
export async function choose(visitor: ReturnType<typeof userEvent.setup>, row: string, action: string) {
  await visitor.click(button(`More actions: ${row}`));
  await visitor.click(await screen.findByRole('menuitem', { name: action }));
}

/** The actions in the menu of a row. */
export async function actionsOf(visitor: ReturnType<typeof userEvent.setup>, row: string) {
  await visitor.click(button(`More actions: ${row}`));
  const actions = screen.getAllByRole('menuitem').map(item => item.textContent);
  await visitor.keyboard('{Escape}');
  return actions;
}

afterEach(() => history.replaceState(null, '', '/'));

export interface Given {
  user?: Partial<CurrentUser>;
  reads?: FakeReads;
  config?: Parameters<typeof project>[0];
  coolingOffDays?: number;
  apiKeyScopes?: readonly string[];
}

export function signedInApp({ user: fields = {}, reads = {}, config = {}, coolingOffDays }: Given = {}): FakeApp {
  const fake = fakeApp();
  fake.readers.user.set(user(fields, reads));
  const known = project(config);
  fake.readers.project.set(coolingOffDays === undefined ? known : { ...known, deletionCoolingOffDays: coolingOffDays });
  return fake;
}

export async function open(hash: string, given: Given = {}) {
  history.replaceState(null, '', hash);
  const fake = signedInApp(given);
  const view = await show(<AccountSettings fullPage />, { with: fake, apiKeyScopes: given.apiKeyScopes });
  return { ...view, visitor: userEvent.setup() };
}

/** A click on a link fires this event; happy-dom does not. */
export async function go(hash: string) {
  history.replaceState(null, '', hash);
  await act(async () => void window.dispatchEvent(new HashChangeEvent('hashchange')));
  await settle();
}

export function team(fields: Partial<Team> = {}, reads: FakeReads = {}): Team {
  const known = { id: 't1', displayName: 'Analysts', profileImageUrl: null, update: vi.fn(async () => {}) };
  return withReads({ ...known, ...fields } as unknown as Team, reads);
}

export function known(code: string): never {
  return KnownError.fromJson({ code }) as never;
}

type FakeChannel = ReturnType<typeof channel>;

export function channel(
  value: string,
  fields: Partial<{ isPrimary: boolean; isVerified: boolean; usedForAuth: boolean }> = {},
) {
  return {
    id: value,
    value,
    type: 'email',
    isPrimary: false,
    isVerified: false,
    usedForAuth: false,
    update: vi.fn(async () => {}),
    delete: vi.fn(async () => {}),
    sendVerificationEmail: vi.fn(async () => {}),
    ...fields,
  };
}

export const own = () => channel('ada@example.com', { isPrimary: true, isVerified: true, usedForAuth: true });

export function openAuth(channels: readonly FakeChannel[], given: Given = {}) {
  return open('#auth', { ...given, reads: { listContactChannels: setReader<unknown>(channels), ...given.reads } });
}
