import { rateLimits, signInCodeLifetimeMs } from '@tessera/protocol';
import type { CallOptions } from '@tessera/testing/call';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { callback, openScene, plainPasswords, type Scene } from '../scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
let email: string;
beforeAll(async () => {
  server = await openTestServer({ passwords: plainPasswords() });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  email = scene.address();
});

const password = 'correct horse';
const stranger = '203.0.113.7';
const tooOften = { status: 429, says: 'a sentence' };

const account = (more: object = {}) =>
  scene.person({
    primary_email: email,
    primary_email_auth_enabled: true,
    primary_email_verified: true,
    password,
    ...more,
  });

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}

describe('control 72: emails', () => {
  type Send = (recipient: string, more?: CallOptions) => ReturnType<Scene['call']>;

  const sendSignInCode: Send = (recipient, more) =>
    scene.call('POST /auth/otp/send-sign-in-code', { body: { email: recipient, callback_url: callback }, ...more });
  const sendResetCode: Send = (recipient, more) =>
    scene.call('POST /auth/password/send-reset-code', { body: { email: recipient, callback_url: callback }, ...more });

  const senders: Record<string, () => Promise<Send>> = {
    'sign-in codes': async () => sendSignInCode,
    'password resets': async () => {
      await account();
      return sendResetCode;
    },
    invitations: async () => {
      const made = await scene.call('POST /teams', { level: 'server', body: { display_name: 'Engines' } });
      const team_id = 'body' in made ? (made.body as { id: string }).id : '';
      return recipient =>
        scene.call('POST /team-invitations/send-code', {
          level: 'server',
          body: { team_id, email: recipient, callback_url: callback },
        });
    },
    'verifications of a primary address': async () => {
      const { accessToken } = await account({ primary_email_verified: false });
      return recipient =>
        scene.call('POST /contact-channels/send-verification-code', {
          accessToken,
          body: { email: recipient, callback_url: callback },
        });
    },
    'verifications of a channel': async () => {
      const { id } = await account({ primary_email_verified: false });
      const listed = await scene.call('GET /contact-channels', { level: 'server', query: { user_id: id } });
      const [channel] = 'body' in listed ? (listed.body as { items: { id: string }[] }).items : [];
      const params = { user_id: id, contact_channel_id: channel?.id ?? '' };
      return () =>
        scene.call('POST /contact-channels/{user_id}/{contact_channel_id}/send-verification-code', {
          level: 'server',
          params,
          body: { callback_url: callback },
        });
    },
  };

  test.each(Object.entries(senders))('%s: a recipient gets five emails in an hour, then 429', async (_, prepare) => {
    const send = await prepare();
    await scene.takeEmails();
    const answers = await times(6, () => send(email));
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), 429]);
    expect(await scene.takeEmails()).toHaveLength(5);
  });

  test('emails of all kinds count together for a recipient', async () => {
    await times(3, () => sendSignInCode(email));
    expect(await times(3, () => sendResetCode(email.toUpperCase()))).toMatchObject([{}, {}, tooOften]);
  });

  test('emails to an unknown address count in the same way', async () => {
    const answers = await times(6, () => sendResetCode(email));
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), 429]);
    expect(await scene.takeEmails()).toEqual([]);
  });

  test('emails are limited per address block of the caller', async () => {
    await scene.configure({ limits: { mailsPerAddress: 2 } });
    const from = (peerAddress: string) => sendSignInCode(scene.address(), { peerAddress });
    expect(await times(3, () => from(stranger))).toMatchObject([{ status: 200 }, { status: 200 }, tooOften]);
    expect(await from('203.0.113.8')).toMatchObject({ status: 200 });
  });

  describe('a used-up email quota of the project', () => {
    const signUp = (address: string, more: CallOptions = {}) =>
      scene.call('POST /auth/password/sign-up', {
        body: { email: address, password, verification_callback_url: callback },
        ...more,
      });
    const signUpMany = async (count: number) => {
      const addresses = Array.from({ length: count }, () => scene.address());
      for (const address of addresses) expect(await signUp(address)).toMatchObject({ status: 200 });
      return addresses;
    };
    const delivered = async (addresses: readonly string[]) => {
      const arrived = await server.mailbox();
      return addresses.filter(address => arrived.some(({ to }) => to === address)).length;
    };
    /** Moves the clock past the window of the quota, so that the waiting jobs are due. */
    const nextWindow = async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + rateLimits.mailsPerProject.windowMs + 1 });
      await server.deps.db.query(sql`update graphile_worker._private_jobs set run_at = now()`);
    };
    afterEach(() => {
      vi.useRealTimers();
    });

    test('sign-ups succeed while the quota is used up, and their emails wait in the queue', async () => {
      await scene.configure({ limits: { mailsPerProject: 4 } });
      const addresses = await signUpMany(5);
      expect(await delivered(addresses)).toBe(2);
      await nextWindow();
      expect(await delivered(addresses)).toBe(4);
      await nextWindow();
      expect(await delivered(addresses)).toBe(5);
    });

    test('sign-in codes are accepted while the quota is used up', async () => {
      await scene.configure({ limits: { mailsPerProject: 2 } });
      const answers = await times(4, () => sendSignInCode(scene.address()));
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    });

    test('sign-ups with unknown addresses leave half of the quota to verified accounts', async () => {
      await scene.configure({ limits: { mailsPerProject: 4 } });
      await account();
      const addresses = await signUpMany(5);
      await sendResetCode(email);
      expect(await delivered(addresses)).toBe(2);
      expect(await delivered([email])).toBe(1);
    });

    test('a used-up quota writes one audit event for the owner and counts in a metric for the operator', async () => {
      await scene.configure({ limits: { mailsPerProject: 2 } });
      await signUpMany(4);
      await server.mailbox();
      const query = { action: 'project.mail_quota_reached' };
      const log = await scene.call('GET /internal/extensions/audit-log', { level: 'admin', query });
      expect(log).toMatchObject({ body: { items: [{ actor: { type: 'system' } }] } });
      expect('body' in log && (log.body as { items: unknown[] }).items).toHaveLength(1);
      expect(await server.deps.metrics.text()).toMatch(/^tessera_mails_deferred_total [1-9]/m);
    });

    test('an email whose code expires while it waits is dropped', async () => {
      await scene.configure({ limits: { mailsPerProject: 2 } });
      const addresses = [scene.address(), scene.address()];
      for (const address of addresses) await sendSignInCode(address);
      expect(await delivered(addresses)).toBe(1);
      server.clock.advance(signInCodeLifetimeMs);
      await nextWindow();
      expect(await delivered(addresses)).toBe(1);
      expect(await scene.takeEmails()).toEqual([]);
    });

    test('emails of a developer’s own machine do not wait', async () => {
      await scene.configure({ limits: { mailsPerProject: 2 } });
      const addresses = Array.from({ length: 3 }, () => scene.address());
      for (const address of addresses) await signUp(address, { peerAddress: '127.0.0.1' });
      expect(await delivered(addresses)).toBe(3);
    });
  });

  test('the verification email of a sign-up counts for its recipient', async () => {
    await scene.configure({ limits: { mailsPerAddress: 1 } });
    const from = { peerAddress: stranger };
    const body = () => ({ email: scene.address(), password, verification_callback_url: callback });
    expect(await scene.call('POST /auth/password/sign-up', { body: body(), ...from })).toMatchObject({ status: 200 });
    expect(await scene.call('POST /auth/password/sign-up', { body: body(), ...from })).toEqual(tooOften);
  });
});

describe('control 70: sign-ups', () => {
  const ways: Record<string, (more: CallOptions) => ReturnType<Scene['call']>> = {
    'with a password': more =>
      scene.call('POST /auth/password/sign-up', {
        body: { email: scene.address(), password, verification_callback_url: callback },
        ...more,
      }),
    'with an email code': async more => {
      const code = await scene.code('sign_in', { address: scene.address(), data: {} });
      return scene.call('POST /auth/otp/sign-in', { body: { code }, ...more });
    },
    'without saying who one is': more => scene.call('POST /auth/anonymous/sign-up', more),
  };

  test.each(Object.entries(ways))('%s is limited per address block', async (_, signUp) => {
    await scene.configure({ anonymousUsersEnabled: true, limits: { signUpsPerAddress: 2 } });
    const answers = await times(3, () => signUp({ peerAddress: stranger }));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, tooOften]);
    expect(await signUp({ peerAddress: '203.0.113.8' })).toMatchObject({ status: 200 });
    expect(await times(4, () => signUp({ peerAddress: '127.0.0.1' }))).toMatchObject(Array(4).fill({ status: 200 }));
  });

  test('a code that the limit refuses stays unused, and signs up from another address block', async () => {
    await scene.configure({ limits: { signUpsPerAddress: 1 } });
    const signUp = (code: string, peerAddress: string) =>
      scene.call('POST /auth/otp/sign-in', { body: { code }, peerAddress });
    const codeOf = (address: string) => scene.code('sign_in', { address, data: {} });
    expect(await signUp(await codeOf(scene.address()), stranger)).toMatchObject({ status: 200 });
    const code = await codeOf(email);
    expect(await times(2, () => signUp(code, stranger))).toEqual([tooOften, tooOften]);
    expect(await signUp(code, '203.0.113.8')).toMatchObject({ status: 200, body: { is_new_user: true } });
    const next = await signUp(await codeOf(email), stranger);
    expect(next).toMatchObject({ status: 200, body: { is_new_user: false } });
  });

  test('a code that upgrades an anonymous user stays unused when the limit refuses it', async () => {
    await scene.configure({ anonymousUsersEnabled: true, limits: { signUpsPerAddress: 1 } });
    const { id, accessToken } = await scene.anonymous();
    const code = await scene.code('sign_in', { address: email, data: {} });
    await scene.call('POST /auth/anonymous/sign-up', { peerAddress: stranger });
    const upgrade = (peerAddress: string) =>
      scene.call('POST /auth/otp/sign-in', { accessToken, body: { code }, peerAddress });
    expect(await upgrade(stranger)).toEqual(tooOften);
    expect(await upgrade('203.0.113.8')).toMatchObject({ status: 200, body: { user_id: id, is_new_user: true } });
  });

  test('a code whose sign-up is refused is spent and does not count in the limit', async () => {
    await scene.configure({ signUpEnabled: false, limits: { signUpsPerAddress: 1 } });
    const enter = (code: string) => scene.call('POST /auth/otp/sign-in', { body: { code }, peerAddress: stranger });
    const code = await scene.code('sign_in', { address: email, data: {} });
    expect(await enter(code)).toEqual({ status: 400, code: 'SIGN_UP_NOT_ENABLED' });
    expect(await enter(code)).toMatchObject({ code: 'VERIFICATION_CODE_ALREADY_USED' });
    await scene.configure({ signUpEnabled: true });
    const next = await scene.code('sign_in', { address: email, data: {} });
    expect(await enter(next)).toMatchObject({ status: 200 });
  });

  test('the default limit is twenty sign-ups in an hour', async () => {
    await scene.configure({ anonymousUsersEnabled: true });
    const signUp = () => scene.call('POST /auth/anonymous/sign-up', { peerAddress: '198.51.100.9' });
    expect((await times(21, signUp)).map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
  });
});
