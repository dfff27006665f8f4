import { createHmac } from 'node:crypto';
import { type CurrentUser, KnownError, KnownErrors, RequestError, type Team } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Profiler } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountSettings, TeamCreation } from '../../parts.tsx';
import { type FakeApp, type FakeReads, fakeApp, project, setReader, user, withReads } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const maybeButton = (name: string | RegExp) => screen.queryByRole('button', { name });
const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });
const section = (name: string) => within(screen.getByRole('region', { name }));
const sidebar = () => screen.getAllByRole('link').map(link => link.getAttribute('href'));

afterEach(() => history.replaceState(null, '', '/'));

interface Given {
  user?: Partial<CurrentUser>;
  reads?: FakeReads;
  config?: Parameters<typeof project>[0];
}

function someone({ user: fields = {}, reads = {}, config = {} }: Given = {}): FakeApp {
  const fake = fakeApp();
  fake.readers.user.set(user(fields, reads));
  fake.readers.project.set(project(config));
  return fake;
}

async function open(hash: string, given: Given = {}) {
  history.replaceState(null, '', hash);
  const fake = someone(given);
  const view = await show(<AccountSettings fullPage />, { with: fake });
  return { ...view, hand: userEvent.setup() };
}

/** As a click on a link does; happy-dom does not tell. */
async function go(hash: string) {
  history.replaceState(null, '', hash);
  await act(async () => void window.dispatchEvent(new HashChangeEvent('hashchange')));
  await settle();
}

function team(fields: Partial<Team> = {}, reads: FakeReads = {}): Team {
  const known = { id: 't1', displayName: 'Analysts', profileImageUrl: null, update: vi.fn(async () => {}) };
  return withReads({ ...known, ...fields } as unknown as Team, reads);
}

function known(code: string): never {
  return KnownError.fromJson({ code }) as never;
}

describe('the page', () => {
  it('lists the sections in order and shows the first', async () => {
    const { container } = await open('', { config: { allowUserApiKeys: true } });
    expect(sidebar()).toEqual(['#profile', '#auth', '#notifications', '#sessions', '#api-keys', '#settings']);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Account settings');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Profile');
    expect(await violations(container)).toEqual([]);
  });

  it('follows the address, and leads the reader to what is new', async () => {
    await open('#settings');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Settings');
    await go('#profile');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
  });

  it("lists 50 teams with long names in any script, and the customer's own sections", async () => {
    const teams = Array.from({ length: 50 }, (_, index) =>
      team({ id: `${index}`, displayName: index ? `${'Very long name '.repeat(10)}${index}` : 'فريق التحليل' }),
    );
    const fake = someone({
      reads: { listTeams: setReader<unknown>(teams) },
      config: { clientTeamCreationEnabled: true },
    });
    const extraItems = [{ id: 'billing', title: 'Billing', content: <p>Invoices</p> }];
    history.replaceState(null, '', '#billing');
    const { container } = await show(<AccountSettings extraItems={extraItems} />, { with: fake });
    expect(sidebar()).toHaveLength(5 + 1 + 50 + 1);
    expect(sidebar().at(5)).toBe('#billing');
    expect(sidebar().at(-1)).toBe('#team-creation');
    expect(screen.getByText('Invoices')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
  });

  it('waits for a team that is asked for, and shows the first section where there is none such', async () => {
    const listTeams = setReader<unknown>();
    await open('#team-t1', { reads: { listTeams } });
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
    await act(async () => listTeams.set([]));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Profile');
  });

  it('sends those who are not signed in to sign-in', async () => {
    const { app } = await show(<AccountSettings />);
    expect(app.redirectToSignIn).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });

  it('says what failed, and tries again', async () => {
    const fake = fakeApp();
    fake.readers.user.fail(new RequestError('unreachable', 'no'));
    const { container } = await show(<AccountSettings />, { with: fake });
    expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
    expect(await violations(container)).toEqual([]);
    await userEvent.click(button('Try again'));
    expect(fake.readers.user.refresh).toHaveBeenCalledOnce();
  });

  it('renders again for what it shows, and for nothing else', async () => {
    const [listTeams, listApiKeys] = [setReader<unknown>([]), setReader<unknown>([])];
    const fake = someone({ reads: { listTeams, listApiKeys } });
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

  it('is a demonstration with what it is given, and changes nothing', async () => {
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
    expect(screen.getByText('Not available in this demonstration.')).toBeTruthy();
    await go('#sessions');
    expect(screen.getByText('This session')).toBeTruthy();
    expect(app.redirectToSignIn).not.toHaveBeenCalled();
  });
});

describe('profile', () => {
  it('changes the name in place, and gives the keyboard back', async () => {
    const update = vi.fn(async () => {});
    const { hand, container } = await open('#profile', { user: { update } });
    await hand.click(button('Change: User name'));
    expect(document.activeElement).toBe(field('User name'));
    expect(await violations(container)).toEqual([]);
    await hand.clear(field('User name'));
    await hand.type(field('User name'), ' Ada King {Enter}');
    expect(update).toHaveBeenCalledExactlyOnceWith({ displayName: 'Ada King' });
    expect(document.activeElement).toBe(button('Change: User name'));
  });

  it('keeps what was typed when it cannot be saved, and forgets it on cancel', async () => {
    const update = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const { hand } = await open('#profile', { user: { update } });
    await hand.click(button('Change: User name'));
    await hand.type(field('User name'), '!{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
    expect(field('User name')).toHaveProperty('value', 'Ada Lovelace!');
    await hand.click(button('Cancel'));
    expect(screen.getByText('Ada Lovelace')).toBeTruthy();
  });

  it('refuses a file that is no picture', async () => {
    const { container } = await open('#profile');
    const input = container.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
    await userEvent.setup({ applyAccept: false }).upload(input, new File(['x'], 'x.txt', { type: 'text/plain' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('not a picture');
  });

  it('crops a picture by keyboard, and saves a light JPEG', async () => {
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(400);
    vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(200);
    const drawImage = vi.fn();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage, fillRect: vi.fn() } as never);
    const heavy = `data:image/jpeg;base64,${'A'.repeat(200_000)}`;
    const toDataURL = vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL');
    toDataURL.mockImplementation((_, quality) => (quality === 0.5 ? 'data:image/jpeg;base64,AAAA' : heavy));

    const update = vi.fn(async () => {});
    const { hand, container } = await open('#profile', { user: { update, profileImageUrl: 'https://a/b.png' } });
    const input = container.querySelector<HTMLInputElement>('input[type=file]');
    await hand.upload(input as HTMLInputElement, new File(['x'], 'x.png', { type: 'image/png' }));
    await settle();
    await settle();
    const dialog = within(await screen.findByRole('dialog', { name: 'Crop the picture' }));
    const image = dialog.getByRole('group').querySelector('img');
    await act(async () => void image?.dispatchEvent(new Event('load')));
    expect(await violations(document.body)).toEqual([]);

    await act(async () => dialog.getByRole('group').focus());
    await hand.keyboard('{ArrowRight}{ArrowRight}');
    await hand.click(dialog.getByRole('button', { name: 'Save' }));
    expect(drawImage).toHaveBeenCalledWith(expect.anything(), 80, 0, 200, 200, 0, 0, 512, 512);
    expect(update).toHaveBeenCalledExactlyOnceWith({ profileImageUrl: 'data:image/jpeg;base64,AAAA' });
    expect(screen.queryByRole('dialog')).toBeNull();

    await hand.click(button('Remove picture'));
    expect(update).toHaveBeenLastCalledWith({ profileImageUrl: null });
    vi.restoreAllMocks();
  });
});

type FakeChannel = ReturnType<typeof channel>;

function channel(
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

const own = () => channel('ada@example.com', { isPrimary: true, isVerified: true, usedForAuth: true });

function openAuth(channels: readonly FakeChannel[], given: Given = {}) {
  return open('#auth', { ...given, reads: { listContactChannels: setReader<unknown>(channels), ...given.reads } });
}

describe('e-mail addresses', () => {
  const rows = () => within(screen.getByRole('list', { name: 'Email addresses' })).getAllByRole('listitem');

  it('stand in order with their badges, and offer what can be done', async () => {
    const [second, third] = [channel('b@example.com', { isVerified: true }), channel('a@example.com')];
    const { hand, container } = await openAuth([third, second, own()]);
    expect(rows().map(row => row.querySelector('bdi')?.textContent)).toEqual([
      'ada@example.com',
      'b@example.com',
      'a@example.com',
    ]);
    expect(button('Do not use for sign-in: ada@example.com')).toHaveProperty('disabled', true);
    expect(button('Remove: ada@example.com')).toHaveProperty('disabled', true);
    expect(button('Make primary: a@example.com').title).toContain('Verify the address');
    expect(await violations(container)).toEqual([]);

    await hand.click(button('Make primary: b@example.com'));
    expect(second.update).toHaveBeenCalledExactlyOnceWith({ isPrimary: true });
    await hand.click(button('Use for sign-in: b@example.com'));
    expect(second.update).toHaveBeenLastCalledWith({ usedForAuth: true });
    await hand.click(button('Send verification email: a@example.com'));
    expect(screen.getByText('Verification email sent to a@example.com.')).toBeTruthy();
  });

  it('say that somebody else signs in with one', async () => {
    const second = channel('b@example.com', { isVerified: true });
    second.update.mockRejectedValue(known('CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE'));
    const { hand } = await openAuth([own(), second]);
    await hand.click(button('Use for sign-in: b@example.com'));
    expect(screen.getByRole('alert').textContent).toBe('Somebody else signs in with this address.');
  });

  it('go after a question', async () => {
    const second = channel('b@example.com');
    const { hand } = await openAuth([own(), second]);
    await hand.click(button('Remove: b@example.com'));
    const dialog = within(screen.getByRole('dialog', { name: 'Remove this address?' }));
    expect(await violations(document.body)).toEqual([]);
    await hand.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await hand.click(button('Remove: b@example.com'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
    expect(second.delete).toHaveBeenCalledOnce();
  });

  it('are added unused for sign-in, then verified; not twice', async () => {
    const added = channel('new@example.com');
    const createContactChannel = vi.fn(async () => added);
    const { hand, container } = await openAuth([own()], { user: { createContactChannel } as never });
    await hand.click(button('Add an address'));
    await hand.type(field('New email address'), 'ADA@example.com{Enter}');
    expect(screen.getByText('This address is listed already.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await hand.clear(field('New email address'));
    await hand.type(field('New email address'), 'new@example.com{Enter}');
    expect(createContactChannel).toHaveBeenCalledExactlyOnceWith({
      value: 'new@example.com',
      type: 'email',
      usedForAuth: false,
    });
    expect(added.sendVerificationEmail).toHaveBeenCalledOnce();
    expect(screen.getByText('Verification email sent to new@example.com.')).toBeTruthy();
  });

  it('can be added at once where there is none, and are explained to be needed', async () => {
    await openAuth([], { config: { passkeyEnabled: true, magicLinkEnabled: true } });
    expect(field('New email address')).toBeTruthy();
    expect(section('Password').getByText(/Add an email address/)).toBeTruthy();
    expect(section('Passkey').getByText(/Verify an email address/)).toBeTruthy();
    expect(section('Sign-in by email').getByText(/Verify an email address/)).toBeTruthy();
  });

  it('show that they are loaded, and what failed', async () => {
    const listContactChannels = setReader<unknown>();
    const { hand, container } = await open('#auth', { reads: { listContactChannels } });
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
    await act(async () => listContactChannels.fail(new RequestError('offline', 'no')));
    expect(screen.getByRole('alert').textContent).toContain('You are offline.');
    expect(await violations(container)).toEqual([]);
    await hand.click(button('Try again'));
    expect(listContactChannels.refresh).toHaveBeenCalledOnce();
  });
});

describe('password section', () => {
  async function fill(hand: ReturnType<typeof userEvent.setup>, old: string | undefined, password: string) {
    if (old !== undefined) await hand.type(field('Current password'), old);
    await hand.type(field('New password'), password);
    await hand.type(field('Repeat password'), password);
    await hand.keyboard('{Enter}');
  }

  it('changes the password, with the old one', async () => {
    const updatePassword = vi.fn(async () => undefined);
    const { hand, container } = await openAuth([own()], { user: { updatePassword } });
    await hand.click(button('Change password'));
    expect(field('Current password').getAttribute('autocomplete')).toBe('current-password');
    expect(await violations(container)).toEqual([]);
    await fill(hand, 'old one', 'violet harbour 93 lamp');
    expect(updatePassword).toHaveBeenCalledExactlyOnceWith({
      oldPassword: 'old one',
      newPassword: 'violet harbour 93 lamp',
    });
    expect(section('Password').getByRole('status').textContent).toBe('Your password is saved.');
  });

  it.each([
    [new KnownErrors.PasswordConfirmationMismatch(), 'Current password', 'This is not your current password.'],
    [new KnownErrors.PasswordTooShort(8), 'New password', 'Use at least 8 characters.'],
  ])('says at the field what is wrong: %s', async (error, name, sentence) => {
    const updatePassword = vi.fn(async () => error as never);
    const { hand } = await openAuth([own()], { user: { updatePassword } });
    await hand.click(button('Change password'));
    await fill(hand, 'old one', 'violet harbour 93 lamp');
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(document.activeElement).toBe(field(name));
  });

  it('sets a first one', async () => {
    const setPassword = vi.fn(async () => undefined);
    const { hand } = await openAuth([own()], { user: { hasPassword: false, setPassword } });
    await hand.click(button('Set a password'));
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await fill(hand, undefined, 'violet harbour 93 lamp');
    expect(setPassword).toHaveBeenCalledExactlyOnceWith({ password: 'violet harbour 93 lamp' });
  });

  it('is not there where passwords are off', async () => {
    await openAuth([own()], { config: { credentialEnabled: false } });
    expect(screen.queryByRole('region', { name: 'Password' })).toBeNull();
  });
});

describe('passkey and code sections', () => {
  const config = { passkeyEnabled: true, magicLinkEnabled: true };

  it('add a passkey, and say why it failed', async () => {
    const registerPasskey = vi.fn(
      async () => ({ status: 'error', error: known('PASSKEY_REGISTRATION_FAILED') }) as never,
    );
    const { hand } = await openAuth([own()], { config, user: { registerPasskey } });
    await hand.click(button('Add a passkey'));
    expect(section('Passkey').getByRole('alert').textContent).toBe('The passkey could not be added.');
  });

  it('delete it after a question', async () => {
    const update = vi.fn(async () => {});
    const { hand } = await openAuth([own()], { config, user: { passkeyAuthEnabled: true, update } });
    await hand.click(button('Delete passkey'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete passkey' }));
    expect(update).toHaveBeenCalledExactlyOnceWith({ passkeyAuthEnabled: false });
  });

  it.each([
    ['Passkey', { passkeyAuthEnabled: true, hasPassword: false }],
    ['Sign-in by email', { otpAuthEnabled: true, hasPassword: false }],
  ])('do not take the only way in: %s', async (name, fields) => {
    await openAuth([own()], { config, user: fields });
    expect(section(name).getByText(/your only way to sign in/)).toBeTruthy();
    expect(section(name).queryByRole('button')).toBeNull();
  });

  it('switch codes by mail on and off', async () => {
    const update = vi.fn(async () => {});
    const view = await openAuth([own()], { config, user: { update } });
    await view.hand.click(button('Switch on: Sign-in by email'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ otpAuthEnabled: true });
    view.unmount();

    const { hand } = await openAuth([own()], { config, user: { update, otpAuthEnabled: true } });
    expect(screen.getByText('You can sign in with: password, email code.')).toBeTruthy();
    await hand.click(button('Switch off: Sign-in by email'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Switch off' }));
    expect(update).toHaveBeenLastCalledWith({ otpAuthEnabled: false });
  });
});

describe('second factor section', () => {
  beforeEach(() => void vi.stubGlobal('isSecureContext', true));
  afterEach(() => void vi.unstubAllGlobals());

  it('control 63: is switched on only with a code that fits the key', async () => {
    const update = vi.fn<CurrentUser['update']>(async () => {});
    const { hand, container } = await openAuth([own()], { user: { update } });
    await hand.click(button('Switch on: Second factor'));
    const qrCode = await screen.findByRole('img', { name: 'QR code for your authenticator app' });
    expect(qrCode.getAttribute('width')).toBe('200');
    expect(await violations(container)).toEqual([]);

    const key = container.querySelector('code')?.textContent?.replaceAll(' ', '') ?? '';
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    const right = await codeFor(key);
    const wrong = right === '000000' ? '111111' : '000000';
    await hand.click(field('Six-digit code'));
    await hand.keyboard(wrong);
    await screen.findByText(/The code is wrong/);
    expect(update).not.toHaveBeenCalled();
    await hand.keyboard(right);
    await vi.waitFor(() => expect(update).toHaveBeenCalledOnce());
    expect(update.mock.calls[0]?.[0].totpMultiFactorSecret).toHaveLength(20);
  });

  it('is given up on cancel, with its key', async () => {
    const { hand, container } = await openAuth([own()]);
    await hand.click(button('Switch on: Second factor'));
    const first = container.querySelector('code')?.textContent;
    await hand.click(button('Cancel'));
    await hand.click(button('Switch on: Second factor'));
    expect(container.querySelector('code')?.textContent).not.toBe(first);
  });

  it('is switched off at once', async () => {
    const update = vi.fn(async () => {});
    const { hand } = await openAuth([own()], { user: { update, isMultiFactorRequired: true } });
    await hand.click(button('Switch off: Second factor'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ totpMultiFactorSecret: null });
  });

  it('needs a secure page', async () => {
    vi.stubGlobal('isSecureContext', false);
    const { hand } = await openAuth([own()]);
    await hand.click(button('Switch on: Second factor'));
    expect(screen.getByRole('alert').textContent).toContain('https only');
  });
});

/** What an app with this key shows (RFC 6238). */
async function codeFor(key: string): Promise<string> {
  const bits = [...key].map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  const secret = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.readUInt8(19) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe('notifications', () => {
  const category = (fields: object) => ({ id: 'c', name: 'Marketing', enabled: false, canDisable: true, ...fields });

  it('are switched at once, and stay where some must be', async () => {
    const setEnabled = vi.fn(async () => {});
    const listNotificationCategories = setReader<unknown>([
      category({ setEnabled }),
      category({ id: 't', name: 'Transactional', enabled: true, canDisable: false }),
    ]);
    const { hand, container } = await open('#notifications', { reads: { listNotificationCategories } });
    expect(screen.getByRole('switch', { name: /Transactional/ })).toHaveProperty('disabled', true);
    expect(screen.getByText('These emails are always sent.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await hand.click(screen.getByRole('switch', { name: 'Marketing' }));
    expect(setEnabled).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('are taken back when the server does not take them', async () => {
    const setEnabled = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const listNotificationCategories = setReader<unknown>([category({ setEnabled })]);
    const { hand } = await open('#notifications', { reads: { listNotificationCategories } });
    await hand.click(screen.getByRole('switch', { name: 'Marketing' }));
    expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
    expect(screen.getByRole('switch', { name: 'Marketing' })).toHaveProperty('checked', false);
  });

  it('may be none', async () => {
    await open('#notifications', { reads: { listNotificationCategories: setReader<unknown>([]) } });
    expect(screen.getByText('There is nothing to choose.')).toBeTruthy();
  });
});

describe('sessions', () => {
  const session = (fields: object) => ({
    id: 's1',
    userId: 'u',
    createdAt: new Date('2026-01-02T10:00:00Z'),
    lastUsedAt: undefined,
    isImpersonation: false,
    isCurrentSession: false,
    ...fields,
  });
  const list = () => [
    session({ isCurrentSession: true, lastUsedAt: new Date() }),
    session({
      id: 's2',
      geoInfo: { ip: '203.0.113.7', cityName: 'Turin' },
      lastUsedAt: new Date('2026-01-02T11:00:00Z'),
    }),
    session({ id: 's3', isImpersonation: true }),
  ];
  const rows = () => within(screen.getByRole('list', { name: 'Active sessions' })).getAllByRole('listitem');

  it('show where and when, and end', async () => {
    const revokeSession = vi.fn(async () => {});
    const getActiveSessions = vi.fn(async () => list());
    const { hand, container } = await open('#sessions', { user: { getActiveSessions, revokeSession } as never });
    expect(getActiveSessions).toHaveBeenCalledOnce();
    expect(rows()[0]?.textContent).toContain('Just now');
    expect(rows()[1]?.textContent).toContain('Turin');
    expect(rows()[1]?.textContent).toContain('203.0.113.7');
    expect(rows()[2]?.textContent).toContain('Impersonation');
    expect(rows()[2]?.textContent).toContain('Never');
    expect(within(rows()[0] as HTMLElement).getByRole('button')).toHaveProperty('disabled', true);
    expect(await violations(container)).toEqual([]);

    await hand.click(button('End session: Turin'));
    expect(revokeSession).toHaveBeenCalledExactlyOnceWith('s2');
    expect(rows()).toHaveLength(2);
    expect(getActiveSessions).toHaveBeenCalledOnce();
  });

  it('end all together, and those that did not stay in the list', async () => {
    const revokeSession = vi.fn(async (id: string) => {
      if (id === 's3') throw new RequestError('unreachable', 'no');
    });
    const { hand } = await open('#sessions', {
      user: { getActiveSessions: async () => list(), revokeSession } as never,
    });
    await hand.click(button('End all others'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End all others' }));
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toContain('cannot be reached');
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
    expect(rows()).toHaveLength(2);
  });

  it('say what failed, and may be none', async () => {
    const getActiveSessions = vi.fn(async () => [] as never);
    getActiveSessions.mockRejectedValueOnce(new RequestError('offline', 'no'));
    const { hand } = await open('#sessions', { user: { getActiveSessions } });
    expect(screen.getByRole('alert').textContent).toContain('You are offline.');
    await hand.click(button('Try again'));
    expect(screen.getByText('There are no active sessions.')).toBeTruthy();
  });
});

describe('API keys', () => {
  const config = { allowUserApiKeys: true };
  const key = (fields: object) => ({
    id: 'k1',
    description: 'Deploy',
    createdAt: new Date('2026-01-02T10:00:00Z'),
    value: { lastFour: 'a1b2' },
    whyInvalid: () => null,
    revoke: vi.fn(async () => {}),
    ...fields,
  });
  const rows = () => within(screen.getByRole('list', { name: 'API keys' })).queryAllByRole('listitem');

  it('stand in order, are searched and filtered', async () => {
    const keys = [
      key({ id: 'k2', description: 'Old', whyInvalid: () => 'expired' }),
      key({}),
      key({ id: 'k3', description: 'Newer', createdAt: new Date('2026-02-02') }),
      key({ id: 'k4', description: 'Gone', whyInvalid: () => 'manually-revoked' }),
    ];
    const { hand, container } = await open('#api-keys', { config, reads: { listApiKeys: setReader<unknown>(keys) } });
    expect(rows().map(row => row.querySelector('bdi')?.textContent)).toEqual(['Newer', 'Deploy', 'Old', 'Gone']);
    expect(screen.getAllByRole('button', { name: /^Revoke/ })).toHaveLength(2);
    expect(await violations(container)).toEqual([]);
    await hand.selectOptions(screen.getByLabelText('Status'), 'Revoked');
    expect(rows()).toHaveLength(1);
    await hand.type(field('Search'), 'nothing like it');
    expect(screen.getByText('No key fits the search.')).toBeTruthy();
  });

  it('are revoked after a question with a box to tick', async () => {
    const mine = key({});
    const { hand } = await open('#api-keys', { config, reads: { listApiKeys: setReader<unknown>([mine]) } });
    await hand.click(button('Revoke: Deploy'));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Revoke' })).toHaveProperty('disabled', true);
    expect(await violations(document.body)).toEqual([]);
    await hand.click(dialog.getByRole('checkbox'));
    await hand.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(mine.revoke).toHaveBeenCalledOnce();
  });

  it('are created for a time, shown once, and kept before the dialog can be closed', async () => {
    const createApiKey = vi.fn<CurrentUser['createApiKey']>(async () => ({ value: 'pk_secret' }) as never);
    const { hand } = await open('#api-keys', {
      config,
      user: { createApiKey },
      reads: { listApiKeys: setReader<unknown>([]) },
    });
    expect(screen.getByText('There are no API keys yet.')).toBeTruthy();
    await hand.click(button('Create API key'));
    let dialog = within(screen.getByRole('dialog', { name: 'Create API key' }));
    expect(dialog.getByLabelText('Expires')).toHaveProperty('value', '30');
    await hand.click(dialog.getByRole('button', { name: 'Create API key' }));
    expect(dialog.getByText('Enter a description.')).toBeTruthy();
    expect(await violations(document.body)).toEqual([]);
    await hand.type(dialog.getByLabelText('Description'), ' CI {Enter}');
    const [options] = createApiKey.mock.calls[0] ?? [];
    expect(options?.description).toBe('CI');
    expect(Math.round(((options?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(30);

    dialog = within(screen.getByRole('dialog', { name: 'Your new API key' }));
    expect(dialog.getByText('pk_secret')).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true);
    await hand.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(await violations(document.body)).toEqual([]);
    await hand.click(dialog.getByRole('checkbox', { name: 'I have stored it' }));
    await hand.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keep the dialog open when they cannot be created', async () => {
    const createApiKey = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const { hand } = await open('#api-keys', {
      config,
      user: { createApiKey },
      reads: { listApiKeys: setReader<unknown>([]) },
    });
    await hand.click(button('Create API key'));
    const dialog = within(screen.getByRole('dialog'));
    await hand.type(dialog.getByLabelText('Description'), 'CI{Enter}');
    expect(dialog.getByRole('alert').textContent).toContain('cannot be reached');
    expect(dialog.getByLabelText('Description')).toHaveProperty('value', 'CI');
  });
});

describe('settings', () => {
  it('sign out, without being sent to sign-in as well', async () => {
    const signOut = vi.fn(async () => void current?.readers.user.set(null));
    let current: FakeApp | undefined;
    const view = await open('#settings', { user: { signOut } });
    current = view;
    await view.hand.click(button('Sign out'));
    expect(signOut).toHaveBeenCalledOnce();
    expect(view.app.redirectToSignIn).not.toHaveBeenCalled();
    expect(maybeButton('Delete account')).toBeNull();
  });

  it('delete the account after a question, and go home', async () => {
    const remove = vi.fn(async () => {});
    const { hand, app, container } = await open('#settings', {
      user: { delete: remove },
      config: { clientUserDeletionEnabled: true },
    });
    await hand.click(screen.getByText('Danger zone'));
    await hand.click(button('Delete account'));
    expect(await violations(container)).toEqual([]);
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete account' }));
    expect(remove).toHaveBeenCalledOnce();
    expect(app.redirectToHome).toHaveBeenCalledExactlyOnceWith({ replace: true });
  });
});

describe('teams', () => {
  const rights = (...ids: string[]) => setReader<unknown>(ids.map(id => ({ id })));
  const profile = (displayName: string | null = null) =>
    setReader<unknown>({ displayName, profileImageUrl: null, update: vi.fn(async () => {}) });
  const openTeam = (mine: Team, permissions: ReturnType<typeof rights>, given: Given = {}) =>
    open(`#team-${mine.id}`, {
      ...given,
      reads: {
        listTeams: setReader<unknown>([mine]),
        listPermissions: permissions,
        getTeamProfile: profile(),
        ...given.reads,
      },
    });
  const regions = () => screen.getAllByRole('region').map(region => region.querySelector('h3')?.textContent);

  it('show a member who may nothing their own name, and the way out', async () => {
    const leaveTeam = vi.fn(async () => {});
    const { hand, container } = await openTeam(team(), rights(), { user: { leaveTeam } });
    expect(regions()).toEqual(['Your name in this team', 'Leave team']);
    expect(await violations(container)).toEqual([]);
    await hand.click(button('Leave team'));
    await hand.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Leave team' }));
    expect(leaveTeam).toHaveBeenCalledOnce();
    expect(location.hash).toBe('');
  });

  it('show everything to those who may everything', async () => {
    const revoke = vi.fn(async () => {});
    const inviteUser = vi.fn(async () => {});
    const mine = team({ inviteUser } as never, {
      listUsers: setReader<unknown>([
        { id: 'u', teamProfile: { displayName: 'Ada', profileImageUrl: null } },
        { id: 'v', teamProfile: { displayName: null, profileImageUrl: null } },
      ]),
      listInvitations: setReader<unknown>([
        { id: 'i', recipientEmail: 'grace@example.com', expiresAt: new Date('2026-03-04'), revoke },
      ]),
      listApiKeys: setReader<unknown>([]),
    });
    const all = rights('$update_team', '$read_members', '$invite_members', '$remove_members', '$manage_api_keys');
    const { hand, container } = await openTeam(mine, all, { config: { allowTeamApiKeys: true } });
    expect(regions()).toEqual([
      'Your name in this team',
      'Team picture',
      'Team name',
      'Members',
      'Invite a member',
      'Open invitations',
      'API keys',
      'Leave team',
    ]);
    expect(section('Members').getByText('No name')).toBeTruthy();
    expect(await violations(container)).toEqual([]);

    await hand.type(section('Invite a member').getByLabelText('Email'), 'grace@example.com{Enter}');
    expect(inviteUser).toHaveBeenCalledExactlyOnceWith({ email: 'grace@example.com' });
    expect(screen.getByText('Invitation sent to grace@example.com.')).toBeTruthy();
    expect(section('Invite a member').getByLabelText('Email')).toHaveProperty('value', '');
    await hand.type(section('Invite a member').getByLabelText('Email'), 'x');
    expect(screen.queryByText(/Invitation sent/)).toBeNull();

    await hand.click(button('Revoke invitation of grace@example.com'));
    expect(revoke).toHaveBeenCalledOnce();
    await hand.click(button('Change: Team name'));
    await hand.clear(field('Team name'));
    await hand.keyboard('{Enter}');
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    await hand.type(field('Team name'), 'Engineers{Enter}');
    expect(mine.update).toHaveBeenCalledExactlyOnceWith({ displayName: 'Engineers' });
  });

  it('are created, and then shown', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const { hand, container } = await open('#team-creation', {
      config: { clientTeamCreationEnabled: true },
      user: { createTeam },
    });
    await hand.click(button('Create'));
    expect(screen.getByText('Enter a name.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await hand.type(field('Team name'), ' Analysts {Enter}');
    expect(createTeam).toHaveBeenCalledExactlyOnceWith({ displayName: 'Analysts' });
    expect(location.hash).toBe('#team-new');
  });

  it('are created on a page of its own, which leads to the settings, where the project allows it', async () => {
    const createTeam = vi.fn(async () => team({ id: 'new' }));
    const fake = someone({ config: { clientTeamCreationEnabled: true }, user: { createTeam } });
    const { navigate, container, unmount } = await show(<TeamCreation fullPage />, { with: fake });
    expect(await violations(container)).toEqual([]);
    await userEvent.type(field('Team name'), 'Analysts{Enter}');
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-settings#team-new');
    unmount();

    await show(<TeamCreation />, { with: someone() });
    expect(screen.getByText(/lets nobody create teams/)).toBeTruthy();
  });
});
