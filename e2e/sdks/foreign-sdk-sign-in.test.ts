import { createHmac, randomBytes } from 'node:crypto';
import { StackAdminApp, StackClientApp } from '@stackframe/js';
import { until } from '@tessera/testing/until';
import { afterEach, describe, expect, vi } from 'vitest';
import { newPerson, type Person } from '../support/people.ts';
import type { TesseraServer } from '../support/tessera-server.ts';
import { test } from '../support/test.ts';

/** The unchanged SDK of the hosted service, for sign-in methods other than a password. */

const callbackUrl = 'http://localhost:3000/handler/magic-link-callback';
const verificationCallbackUrl = 'http://localhost:3000/verify';

/** The address to which the SDK would redirect the browser. */
class Navigation extends Error {
  override readonly name = 'Navigation';
}

function clientApp({ url, keys }: TesseraServer) {
  const { projectId, publishableClientKey } = keys;
  const navigate = (to: string): never => {
    throw new Navigation(to);
  };
  return new StackClientApp({
    projectId,
    publishableClientKey,
    baseUrl: url,
    tokenStore: 'memory',
    noAutomaticPrefetch: true,
    redirectMethod: { useNavigate: () => navigate, navigate },
  });
}

/** Email codes are off in a new project. Switches them on. */
async function enableMagicLinks({ url, keys }: TesseraServer): Promise<void> {
  const admin = new StackAdminApp({
    ...keys,
    baseUrl: url,
    tokenStore: 'memory',
    noAutomaticPrefetch: true,
    redirectMethod: 'none',
  });
  const project = await admin.getProject();
  await project.update({ config: { magicLinkEnabled: true } });
  await until('email codes are on', async () => (await admin.getProject()).config.magicLinkEnabled);
}

interface CaughtEmail {
  readonly subject: string;
  readonly link: string;
  readonly code: string;
  readonly otp: string;
}

/** Waits for `count` emails with this start of the subject, and returns the newest. */
function waitForEmail({ url }: TesseraServer, { email }: Person, subject: string, count = 1): Promise<CaughtEmail> {
  return until(`an email: ${subject}`, async () => {
    const { items } = (await (await fetch(`${url}/dev/mail.json`)).json()) as {
      items: (CaughtEmail & { to: string })[];
    };
    const theirs = items.filter(message => message.to === email && message.subject.startsWith(subject));
    return theirs.length >= count && theirs[0];
  });
}

const stepMs = 30_000;

/** A TOTP code (RFC 6238). */
function totp(secret: Uint8Array): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0x0f) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

describe('the SDK of the hosted service, with codes by email', () => {
  test('signs up with the link in an email, and signs in with a typed code', async ({ server }) => {
    await enableMagicLinks(server);
    const person = newPerson();
    const sent = await clientApp(server).sendMagicLinkEmail(person.email, { callbackUrl });
    expect(sent).toMatchObject({ status: 'ok' });
    const message = await waitForEmail(server, person, 'Sign in to');
    expect(message.link).toBe(`${callbackUrl}?code=${message.code}`);

    const byLink = clientApp(server);
    expect(await byLink.signInWithMagicLink(message.code, { noRedirect: true })).toMatchObject({ status: 'ok' });
    const user = await byLink.getUser({ or: 'throw' });
    expect(user).toMatchObject({ primaryEmail: person.email, primaryEmailVerified: true, otpAuthEnabled: true });

    const typing = clientApp(server);
    const again = await typing.sendMagicLinkEmail(person.email, { callbackUrl });
    const { otp } = await waitForEmail(server, person, 'Sign in to', 2);
    const nonce = again.status === 'ok' ? again.data.nonce : '';
    expect(await typing.signInWithMagicLink(`${otp}${nonce}`, { noRedirect: true })).toMatchObject({ status: 'ok' });
    expect(await typing.getUser()).toMatchObject({ id: user.id });
  });

  test('returns error classes for a used code and a wrong code', async ({ server }) => {
    await enableMagicLinks(server);
    const person = newPerson();
    const app = clientApp(server);
    await app.sendMagicLinkEmail(person.email, { callbackUrl });
    const { code } = await waitForEmail(server, person, 'Sign in to');
    await app.signInWithMagicLink(code, { noRedirect: true });
    const used = await clientApp(server).signInWithMagicLink(code, { noRedirect: true });
    expect(used).toMatchObject({ status: 'error', error: { errorCode: 'VERIFICATION_CODE_ALREADY_USED' } });
    const wrong = await clientApp(server).signInWithMagicLink(`000000${code.slice(6)}`, { noRedirect: true });
    expect(wrong).toMatchObject({ status: 'error', error: { errorCode: 'VERIFICATION_CODE_NOT_FOUND' } });
  });
});

describe('the SDK of the hosted service, with a second factor', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** The storage in which the SDK keeps the attempt for its page for the second factor. */
  function browserStorage(): Map<string, string> {
    const kept = new Map<string, string>();
    vi.stubGlobal('window', { sessionStorage: { setItem: (key: string, value: string) => kept.set(key, value) } });
    return kept;
  }

  /** Signs in up to the page for the second factor. */
  async function startSignIn(work: () => Promise<unknown>): Promise<string> {
    const kept = browserStorage();
    await expect(work()).rejects.toBeInstanceOf(Navigation);
    vi.unstubAllGlobals();
    return kept.get('stack_mfa_attempt_code') ?? '';
  }

  async function personWithTotp(server: TesseraServer) {
    const person = newPerson();
    const app = clientApp(server);
    await app.signUpWithCredential({ ...person, verificationCallbackUrl, noRedirect: true });
    const user = await app.getUser({ or: 'throw' });
    const secret = new Uint8Array(randomBytes(20));
    await user.update({ totpMultiFactorSecret: secret });
    return { person, user, secret };
  }

  test('continues a password sign-in on the page for the second factor', async ({ server }) => {
    const { person, user, secret } = await personWithTotp(server);
    const app = clientApp(server);
    const attempt = await startSignIn(() => app.signInWithCredential({ ...person, noRedirect: true }));
    expect(await app.getUser()).toBeNull();

    const wrong = await app.signInWithMfa('000000', attempt, { noRedirect: true });
    expect(wrong).toMatchObject({ status: 'error', error: { errorCode: 'INVALID_TOTP_CODE' } });
    expect(await app.signInWithMfa(totp(secret), attempt, { noRedirect: true })).toMatchObject({ status: 'ok' });
    expect(await app.getUser()).toMatchObject({ id: user.id, isMultiFactorRequired: true });
  });

  test('continues a sign-in with an email code on the page for the second factor', async ({ server }) => {
    await enableMagicLinks(server);
    const { person, user, secret } = await personWithTotp(server);
    const [channel] = await user.listContactChannels();
    await channel?.sendVerificationEmail({ callbackUrl: verificationCallbackUrl });
    const { code: verification } = await waitForEmail(server, person, 'Verify your email', 2);
    await clientApp(server).verifyEmail(verification);

    const app = clientApp(server);
    await app.sendMagicLinkEmail(person.email, { callbackUrl });
    const { code } = await waitForEmail(server, person, 'Sign in to');
    const attempt = await startSignIn(() => app.signInWithMagicLink(code, { noRedirect: true }));
    expect(await app.signInWithMfa(totp(secret), attempt, { noRedirect: true })).toMatchObject({ status: 'ok' });
    expect(await app.getUser()).toMatchObject({ id: user.id });
  });
});
