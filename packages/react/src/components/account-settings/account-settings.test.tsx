import { RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { AccountSettings } from '../../lazy/parts.tsx';
import { fakeApp, setReader, user } from '../../test/fake-app.ts';
import { button, channel, field, go, open, own, sidebar, signedInApp, team } from '../../test/settings-page.tsx';
import { show, violations } from '../../test/show.tsx';

describe('AccountSettings', () => {
  it('lists the sections in order and shows the first', async () => {
    const { container } = await open('', { config: { allowUserApiKeys: true } });
    expect(sidebar()).toEqual(['#profile', '#auth', '#notifications', '#sessions', '#api-keys', '#settings']);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Account settings');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Profile');
    expect(await violations(container)).toEqual([]);
  });

  it('leads from a full page back to the app', async () => {
    const { container } = await show(<AccountSettings fullPage />, { with: signedInApp() });
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
    expect(await violations(container)).toEqual([]);
  });

  it('follows the hash of the URL and moves the focus to the new section', async () => {
    await open('#settings');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Settings');
    await go('#profile');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
  });

  it('lists 50 teams with long names in any script, and the sections of the host app', async () => {
    const teams = Array.from({ length: 50 }, (_, index) =>
      team({ id: `${index}`, displayName: index ? `${'Very long name '.repeat(10)}${index}` : 'فريق التحليل' }),
    );
    const fake = signedInApp({
      reads: { listTeams: setReader<unknown>(teams) },
      config: { clientTeamCreationEnabled: true },
    });
    const extraItems = [{ id: 'billing', title: 'Billing', content: <p>Invoices</p>, iconName: 'Receipt' }];
    history.replaceState(null, '', '#billing');
    const { container } = await show(<AccountSettings extraItems={extraItems} />, { with: fake });
    expect(sidebar()).toHaveLength(5 + 1 + 50 + 1);
    expect(sidebar().at(5)).toBe('#billing');
    expect(sidebar().at(-1)).toBe('#team-creation');
    expect(screen.getByText('Invoices')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('shows a section of the host app whose id the browser encodes in the URL', async () => {
    const extraItems = [{ id: 'meine Käufe', title: 'Purchases', content: <p>Invoices</p> }];
    history.replaceState(null, '', '#meine Käufe');
    await show(<AccountSettings extraItems={extraItems} />, { with: signedInApp() });
    expect(location.hash).toBe('#meine%20K%C3%A4ufe');
    expect(screen.getByText('Invoices')).toBeTruthy();
  });

  it('waits for a team named in the URL, and shows the first section when there is no such team', async () => {
    const listTeams = setReader<unknown>();
    await open('#team-t1', { reads: { listTeams } });
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
    await act(async () => listTeams.set([]));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
  });

  it('redirects a signed-out visitor to sign-in', async () => {
    const { app } = await show(<AccountSettings />);
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });

  it('shows what was typed in a form when the session ended to the same user after the next sign-in, once', async () => {
    const fake = signedInApp();
    const visitor = userEvent.setup();
    const settings = <AccountSettings />;
    const { rerender } = await show(settings, { with: fake });
    await visitor.click(button('Change: Display name'));
    await visitor.clear(field('Display name'));
    await visitor.type(field('Display name'), 'Ada Byron');
    await act(async () => fake.readers.user.set(null));
    await act(async () => fake.readers.user.set(user({ id: 'another' })));
    expect(screen.queryByRole('alert')).toBeNull();
    await act(async () => fake.readers.user.set(user()));
    expect(screen.getByRole('alert').textContent).toBe(
      'Your session ended before this was saved:Display name: Ada Byron',
    );
    rerender(null);
    rerender(settings);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not keep a password that is shown as text when the session ended', async () => {
    const fake = signedInApp({ reads: { listContactChannels: setReader<unknown>([own()]) } });
    history.replaceState(null, '', '#auth');
    await show(<AccountSettings />, { with: fake });
    const visitor = userEvent.setup();
    await visitor.click(button('Change password'));
    await visitor.click(screen.getAllByRole('button', { name: 'Show password' })[0] as HTMLElement);
    await visitor.type(field('Current password'), 'secret');
    await act(async () => fake.readers.user.set(null));
    expect(Object.values({ ...sessionStorage })).not.toContainEqual(expect.stringContaining('secret'));
    expect(sessionStorage).not.toHaveProperty('tessera.lost-text.u');
  });

  it('shows why loading failed, and tries again', async () => {
    const fake = fakeApp();
    fake.readers.user.fail(new RequestError('unreachable', 'no'));
    const { container } = await show(<AccountSettings />, { with: fake });
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Try again'));
    expect(fake.readers.user.refresh).toHaveBeenCalledOnce();
  });

  it('shows no user while the next user is loading or could not be loaded', async () => {
    const fake = signedInApp();
    const { container } = await show(<AccountSettings />, { with: fake });
    expect(container.textContent).toContain('Ada Lovelace');
    await act(async () => fake.readers.user.forget());
    expect(container.textContent).not.toContain('Ada Lovelace');
    await act(async () => fake.readers.user.fail(new RequestError('unreachable', 'no')));
    expect(container.textContent).not.toContain('Ada Lovelace');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
  });

  it('shows no emails of the previous user after a change of account', async () => {
    const fake = signedInApp({ reads: { listContactChannels: setReader<unknown>([channel('ada@example.com')]) } });
    history.replaceState(null, '', '#auth');
    const { container } = await show(<AccountSettings />, { with: fake });
    expect(container.textContent).toContain('ada@example.com');
    const reads = { listContactChannels: setReader<unknown>() };
    await act(async () => fake.readers.user.set(user({ id: 'g', primaryEmail: 'grace@example.com' }, reads)));
    expect(container.textContent).not.toContain('ada@example.com');
  });

  it('reads the sessions of the next user after a change of account', async () => {
    const fake = signedInApp({ user: { getDeviceSessions: async () => [] } });
    history.replaceState(null, '', '#sessions');
    await show(<AccountSettings />, { with: fake });
    const getDeviceSessions = vi.fn(async () => []);
    await act(async () => fake.readers.user.set(user({ id: 'g', getDeviceSessions })));
    expect(getDeviceSessions).toHaveBeenCalledOnce();
  });

  it('renders again only for data that it shows', async () => {
    const [listTeams, listApiKeys] = [setReader<unknown>([]), setReader<unknown>([])];
    const fake = signedInApp({ reads: { listTeams, listApiKeys } });
    const onRender = vi.fn();
    await show(
      <Profiler id="settings" onRender={onRender}>
        <AccountSettings />
      </Profiler>,
      { with: fake },
    );
    onRender.mockClear();
    await act(async () => listApiKeys.set([]));
    expect(onRender).not.toHaveBeenCalled();
    await act(async () => listTeams.set([team()]));
    expect(onRender.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('with demo data shows that data and changes nothing', async () => {
    history.replaceState(null, '', '#api-keys');
    const createdAt = new Date('2026-01-01');
    const { app, container } = await show(
      <AccountSettings
        mockUser={{ displayName: 'Grace Hopper' }}
        mockProject={{ config: { allowUserApiKeys: true } }}
        mockApiKeys={[{ id: 'key-abcd', description: 'Deploy', createdAt }]}
        mockSessions={[{ id: 's', createdAt, isCurrentSession: true }]}
      />,
    );
    expect(screen.getByText('••••abcd')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await go('#auth');
    expect(screen.getByText('Not available in this demo.')).toBeTruthy();
    await go('#sessions');
    expect(screen.getByText('This device')).toBeTruthy();
    expect(app.redirectToSignIn).not.toHaveBeenCalled();
  });
});
