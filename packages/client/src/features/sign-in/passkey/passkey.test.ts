import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { soon } from '../../../test/soon.ts';
import { json, knownError, noConnection } from '../../../test/stub-server.ts';
import { accessToken } from '../../../test/tokens.ts';
import { createWorld } from '../../../test/world.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const startRoute = 'POST /api/v1/auth/passkey/initiate-passkey-authentication';
const signInRoute = 'POST /api/v1/auth/passkey/sign-in';
const startRegistrationRoute = 'POST /api/v1/auth/passkey/initiate-passkey-registration';
const registerRoute = 'POST /api/v1/auth/passkey/register';

const placeholder = 'THIS_VALUE_WILL_BE_REPLACED.example.com';
const bytes = (text: string) => new TextEncoder().encode(text).buffer;

interface Prompt {
  readonly options: { publicKey: Record<string, unknown>; mediation?: string; signal: AbortSignal };
  answer(): void;
  fail(error: Error): void;
}

/** A browser with passkeys whose prompts the test answers. An aborted prompt rejects as in browsers. */
function stubPasskeys() {
  const prompts: Prompt[] = [];
  const ask = (credential: object) => (options: Prompt['options']) =>
    new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(error);
      prompts.push({ options, answer: () => resolve(credential), fail });
      options.signal.addEventListener('abort', () => fail(named('AbortError', 'aborted')));
    });
  const shared = { id: 'cred', rawId: bytes('cred'), type: 'public-key', getClientExtensionResults: () => ({}) };
  const assertion = { authenticatorData: bytes('a'), clientDataJSON: bytes('c'), signature: bytes('s') };
  const attestation = { attestationObject: bytes('o'), clientDataJSON: bytes('c'), getTransports: () => ['internal'] };
  const credentials = {
    get: ask({ ...shared, response: assertion }),
    create: ask({ ...shared, response: attestation }),
  };
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable: async () => true }),
  );
  vi.stubGlobal('navigator', { credentials });
  vi.stubGlobal('document', { querySelectorAll: () => [{}] });
  vi.stubGlobal('location', { hostname: 'shop.example' });
  return prompts;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function open(routes: Parameters<typeof Object.assign>[1] = {}) {
  const prompts = stubPasskeys();
  const world = createWorld();
  const requestOptions = {
    rpId: placeholder,
    challenge: 'Y2hhbGxlbmdl',
    allowCredentials: [],
    timeout: 60_000,
    userVerification: 'preferred',
  };
  const creationOptions = {
    rp: { id: placeholder, name: 'Shop' },
    user: { id: 'dXNlcg', name: 'Ada', displayName: 'Ada' },
    challenge: 'Y2hhbGxlbmdl',
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
    excludeCredentials: [],
  };
  Object.assign(world.server.routes, {
    [startRoute]: () => json({ code: 'c0de', options_json: requestOptions }),
    [signInRoute]: () => json({ access_token: accessToken(), refresh_token: 'pk', user_id: 'u', is_new_user: false }),
    [startRegistrationRoute]: () => json({ code: 'c0de', options_json: creationOptions }),
    [registerRoute]: () => json({ user_handle: 'cred' }),
    ...routes,
  });
  return { ...world, ...world.openTab({ redirectMethod: 'window' }), prompts };
}

/** The prompt that is shown next. */
async function shown(prompts: Prompt[], count = 1): Promise<Prompt> {
  await vi.waitFor(() => expect(prompts).toHaveLength(count), { timeout: 20_000 });
  return prompts[count - 1] as Prompt;
}

describe('passkey sign-in', () => {
  test('shows a prompt for this host and sends the response', async () => {
    const { app, prompts, server, visited, page } = open();
    const signedIn = app.signInWithPasskey();
    const prompt = await shown(prompts);
    expect(prompt.options.publicKey.rpId).toBe('shop.example');
    expect(prompt.options.mediation).toBeUndefined();
    prompt.answer();
    expect(await soon(signedIn)).toEqual({ status: 'ok', data: undefined });
    expect(JSON.parse(server.to(signInRoute)[0]?.body ?? '')).toMatchObject({
      code: 'c0de',
      authentication_response: { id: 'cred', rawId: 'Y3JlZA', type: 'public-key', response: { signature: 'cw' } },
    });
    expect(visited).toEqual(['replace /']);
    expect(page.cookies.read()).toContain('stack-refresh-p1=pk');
  });

  test('returns the error code of a cancelled prompt', async () => {
    const { app, prompts, server } = open();
    const signedIn = app.signInWithPasskey();
    (await shown(prompts)).fail(named('NotAllowedError', 'cancelled'));
    expect(await soon(signedIn)).toMatchObject({
      error: { errorCode: 'PASSKEY_WEBAUTHN_ERROR', details: { code: 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY' } },
    });
    expect(server.to(signInRoute)).toEqual([]);
  });

  test.each([
    ['PASSKEY_AUTHENTICATION_FAILED', 'PASSKEY_AUTHENTICATION_FAILED'],
    ['VERIFICATION_CODE_EXPIRED', 'PASSKEY_AUTHENTICATION_FAILED'],
  ])('%s is returned as %s', async (code, returned) => {
    const { app, prompts } = open({ [signInRoute]: () => knownError(code, 400) });
    const signedIn = app.signInWithPasskey();
    (await shown(prompts)).answer();
    expect(await soon(signedIn)).toMatchObject({ status: 'error', error: { errorCode: returned } });
  });

  test('throws when passkeys are disabled, and redirects a user with a second factor', async () => {
    const off = open({ [startRoute]: () => knownError('PASSKEY_AUTHENTICATION_NOT_ENABLED', 400) });
    await expect(soon(off.app.signInWithPasskey())).rejects.toMatchObject({
      errorCode: 'PASSKEY_AUTHENTICATION_NOT_ENABLED',
    });
    const mfa = open({
      [signInRoute]: () => knownError('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 400, { attempt_code: 'att' }),
    });
    const signedIn = mfa.app.signInWithPasskey();
    signedIn.catch(() => {});
    (await shown(mfa.prompts)).answer();
    await expect(soon(signedIn)).rejects.toThrow('A second factor is needed');
    expect(mfa.visited).toEqual(['assign /handler/mfa']);
  });

  test('throws a defect when the server names another relying party', async () => {
    const options_json = { rpId: 'evil.example', challenge: 'Yw', allowCredentials: [] };
    const { app, prompts } = open({ [startRoute]: () => json({ code: 'c0de', options_json }) });
    await expect(soon(app.signInWithPasskey())).rejects.toThrow('evil.example');
    expect(prompts).toEqual([]);
  });

  test('returns an error in a browser without passkeys', async () => {
    const { app } = open();
    vi.stubGlobal('PublicKeyCredential', undefined);
    await expect(soon(app.signInWithPasskey())).rejects.toThrow('WebAuthn is not supported in this browser');
  });
});

describe('control 69: a passkey prompt can be aborted', () => {
  const aborted = {
    status: 'error',
    error: { errorCode: 'PASSKEY_WEBAUTHN_ERROR', details: { code: 'ERROR_CEREMONY_ABORTED' } },
  };

  test('a signal aborts an open prompt', async () => {
    const { app, prompts, server } = open();
    const controller = new AbortController();
    const signedIn = app.signInWithPasskey({ signal: controller.signal });
    await shown(prompts);
    controller.abort();
    expect(await soon(signedIn)).toMatchObject(aborted);
    expect(server.to(signInRoute)).toEqual([]);
  });

  test('a prompt that is aborted before it opens is never shown', async () => {
    const { app, prompts } = open();
    const signal = AbortSignal.abort();
    expect(await soon(app.signInWithPasskey({ signal }))).toMatchObject(aborted);
    expect(prompts).toEqual([]);
  });

  test('a conditional prompt is aborted before a modal one is shown', async () => {
    const { app, prompts } = open();
    const conditional = app.signInWithPasskey({ autofill: true });
    const first = await shown(prompts);
    expect(first.options.mediation).toBe('conditional');
    const modal = app.signInWithPasskey({ noRedirect: true });
    const second = await shown(prompts, 2);
    expect(first.options.signal.aborted).toBe(true);
    expect(second.options.mediation).toBeUndefined();
    expect(await soon(conditional)).toMatchObject(aborted);
    second.answer();
    expect(await soon(modal)).toMatchObject({ status: 'ok' });
  });

  test('a conditional prompt that waits for the server does not disturb a modal one', async () => {
    const { app, prompts, server } = open();
    const works = server.routes[startRoute] ?? noConnection;
    let release = () => {};
    server.routes[startRoute] = request =>
      new Promise(resolve => {
        release = () => resolve(works(request));
      });
    const conditional = app.signInWithPasskey({ autofill: true });
    await vi.waitFor(() => expect(server.to(startRoute)).toHaveLength(1), { timeout: 20_000 });
    server.routes[startRoute] = works;
    const modal = app.signInWithPasskey({ noRedirect: true });
    const prompt = await shown(prompts);
    release();
    expect(await soon(conditional)).toMatchObject(aborted);
    expect(prompts).toHaveLength(1);
    expect(prompt.options.signal.aborted).toBe(false);
    prompt.answer();
    expect(await soon(modal)).toMatchObject({ status: 'ok' });
  });
});

describe('passkey registration', () => {
  async function registering(routes = {}) {
    const world = open(routes);
    await soon(world.app.signInWithCredential(world.ada));
    return { ...world, user: await soon(world.app.getUser({ or: 'throw' })) };
  }

  test('creates a passkey for this host, or for the configured host name', async () => {
    const { user, prompts, server } = await registering();
    const registered = user.registerPasskey();
    const prompt = await shown(prompts);
    expect(prompt.options.publicKey.rp).toEqual({ id: 'shop.example', name: 'Shop' });
    prompt.answer();
    expect(await soon(registered)).toEqual({ status: 'ok', data: undefined });
    expect(JSON.parse(server.to(registerRoute)[0]?.body ?? '')).toMatchObject({
      code: 'c0de',
      credential: { id: 'cred', response: { transports: ['internal'] } },
    });
    void user.registerPasskey({ hostname: 'example' });
    expect((await shown(prompts, 2)).options.publicKey.rp).toMatchObject({ id: 'example' });
  });

  test('returns the error of a cancelled prompt, of a prompt without a code and of a refusal', async () => {
    const { user, prompts, server } = await registering();
    const cancelled = user.registerPasskey();
    (await shown(prompts)).fail(named('NotAllowedError', 'cancelled'));
    expect(await soon(cancelled)).toMatchObject({ error: { errorCode: 'PASSKEY_WEBAUTHN_ERROR' } });

    const strange = user.registerPasskey();
    (await shown(prompts, 2)).fail(named('StrangeError', 'who knows'));
    expect(await soon(strange)).toMatchObject({ error: { errorCode: 'PASSKEY_REGISTRATION_FAILED' } });

    for (const code of ['PASSKEY_REGISTRATION_FAILED', 'VERIFICATION_CODE_EXPIRED']) {
      server.routes[registerRoute] = () => knownError(code, 400);
      const refused = user.registerPasskey();
      (await shown(prompts, prompts.length + 1)).answer();
      expect(await soon(refused)).toMatchObject({ error: { errorCode: 'PASSKEY_REGISTRATION_FAILED' } });
    }
  });
});
