import { afterEach, expect, test, vi } from 'vitest';
import type { Context } from '../../../app/context.ts';
import { signalPasskeys, signalWhenUnknown } from './passkey-signals.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page of shop.example whose server knows no passkey but `known`. */
function context() {
  const call = vi.fn(async (_: string, { body }: { body: { passkey_id: string } }) => ({
    is_known: body.passkey_id === 'known',
  }));
  const page = { href: () => 'https://shop.example:8443/settings' };
  return { platform: { page }, call } as unknown as Context<'client'>;
}

/** A browser with the Signal API. @returns the signals */
function stubSignals(answer: () => Promise<void> = async () => {}) {
  const signals: unknown[] = [];
  const signal = (name: string) => (options: object) => {
    signals.push([name, options]);
    return answer();
  };
  vi.stubGlobal('PublicKeyCredential', {
    signalUnknownCredential: signal('unknown'),
    signalAllAcceptedCredentials: signal('all'),
    signalCurrentUserDetails: signal('details'),
  });
  return signals;
}

const account = { userHandle: 'dXNlcg', name: 'Ada', ids: ['one'] };

test.each([
  ['accepts', async () => {}],
  ['refuses', () => Promise.reject(new Error('no passkeys on this host'))],
])('password managers receive all passkeys and the name; a browser that %s them changes nothing', async (_, answer) => {
  const signals = stubSignals(answer);
  await signalPasskeys(context(), account);
  expect(signals).toEqual([
    ['all', { rpId: 'shop.example', userId: 'dXNlcg', allAcceptedCredentialIds: ['one'] }],
    ['details', { rpId: 'shop.example', userId: 'dXNlcg', name: 'Ada', displayName: 'Ada' }],
  ]);
});

test('a browser without the Signal API gets no signal', async () => {
  vi.stubGlobal('PublicKeyCredential', {});
  await signalPasskeys(context(), account);
  vi.stubGlobal('PublicKeyCredential', undefined);
  await signalPasskeys(context(), account);
  expect(await signalWhenUnknown(context(), 'gone')).toBe(false);
});

test('password managers receive only the passkey that the server does not know', async () => {
  const signals = stubSignals();
  expect(await signalWhenUnknown(context(), 'known')).toBe(true);
  expect(signals).toEqual([]);
  expect(await signalWhenUnknown(context(), 'gone')).toBe(false);
  expect(signals).toEqual([['unknown', { rpId: 'shop.example', credentialId: 'gone' }]]);
});
