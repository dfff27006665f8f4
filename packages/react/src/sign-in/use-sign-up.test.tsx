import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ClientApp } from '../app/apps.ts';
import { TesseraProvider } from '../app/provider.tsx';
import { json, known, stubServer } from '../test/stub-server.ts';
import { type SignInOptions, useSignUp } from './use-sign-in.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada = { email: ' ada@example.com ', password: 'violet harbour 93 lamp' };
const primaryChannel = {
  ...{ id: 'c1', user_id: 'u1', type: 'email', value: 'ada@example.com' },
  ...{ is_primary: true, is_verified: false, used_for_auth: true },
};
type Answer = () => Response;
const done: Answer = () => json({ success: true });

/** Signs up on the real client, in a project that asks for the code of the verification email. */
async function signUp({
  verify = done,
  resend = done,
  correct = done,
  ...options
}: SignInOptions & { verify?: Answer; resend?: Answer; correct?: Answer }) {
  const codes: unknown[] = [];
  const corrections: unknown[] = [];
  const server = stubServer({
    verificationNonce: '-n1',
    more: {
      'POST /contact-channels/verify': (_, { code }) => {
        codes.push(code);
        return verify();
      },
      'POST /extensions/email-verification/send-code': resend,
      'GET /contact-channels': () => json({ items: [primaryChannel], is_paginated: false }),
      'PATCH /contact-channels/me/c1': (_, { value }) => {
        corrections.push(value);
        return correct();
      },
    },
  });
  vi.stubGlobal('fetch', server.fetch);
  const navigate = vi.fn();
  const app = new ClientApp({
    baseUrl: 'http://localhost:4280',
    projectId: 'p',
    publishableClientKey: 'pk',
    tokenStore: 'memory',
    redirectMethod: { useNavigate: () => navigate, navigate },
    urls: { afterSignUp: '/welcome' },
  });
  const wrapper = ({ children }: { children: ReactNode }) => <TesseraProvider app={app}>{children}</TesseraProvider>;
  const { result } = renderHook(() => useSignUp(options), { wrapper });
  const flow = () => result.current;
  await waitFor(() => expect(flow().state.step).toBe('start'), { timeout: 20_000 });
  await act(async () => expect(await flow().signUpWithPassword(ada)).toBeUndefined());
  return { flow, app, navigate, codes, corrections };
}

it('useSignUp asks a signed-in visitor for the code of the verification email, and leaves the page after it', async () => {
  const { flow, app, navigate, codes } = await signUp({});
  expect(flow().state).toMatchObject({
    step: 'verification',
    email: 'ada@example.com',
    pending: undefined,
    problem: undefined,
  });
  expect((await app.getUser())?.primaryEmail).toBe('ada@example.com');
  expect(navigate).not.toHaveBeenCalled();

  await act(async () => expect(await flow().submitVerificationCode('A1B2C3')).toBeUndefined());
  expect(codes).toEqual(['A1B2C3-n1']);
  expect(flow().state.step).toBe('complete');
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/welcome');
});

it('a refused code of the verification email is the problem of its field, and the link may have used it', async () => {
  const answers = [known('VERIFICATION_CODE_NOT_FOUND', 404), known('VERIFICATION_CODE_ALREADY_USED', 409)];
  const { flow, navigate } = await signUp({ verify: () => answers.shift() ?? done() });
  const wrong = await act(() => flow().submitVerificationCode('A1B2C3'));
  expect(wrong).toMatchObject({ action: 'verification', field: 'code' });
  expect(flow().state).toMatchObject({ step: 'verification', problem: wrong });
  await act(() => flow().submitVerificationCode('A1B2C4'));
  expect(flow().state.step).toBe('complete');
  expect(navigate).toHaveBeenCalledTimes(1);
});

it('a second verification email has a nonce of its own', async () => {
  const { flow, codes } = await signUp({ resend: () => json({ nonce: '-n2' }) });
  await act(async () => expect(await flow().resend()).toBeUndefined());
  expect(flow().state).toMatchObject({ step: 'verification', email: 'ada@example.com' });
  await act(() => flow().submitVerificationCode('A1B2C3'));
  expect(codes).toEqual(['A1B2C3-n2']);
});

it('useSignUp corrects the address of the new account, and the code for the right address completes it', async () => {
  const answers = [known('EMAIL_ADDRESS_NOT_ALLOWED', 403), done()];
  const { flow, codes, corrections } = await signUp({
    resend: () => json({ nonce: '-n2' }),
    correct: () => answers.shift() ?? done(),
  });
  const refused = await act(() => flow().changeEmail('ada@rival.example'));
  expect(refused).toMatchObject({ action: 'change-email', field: 'email' });
  expect(flow().state).toMatchObject({ step: 'verification', email: 'ada@example.com', problem: refused });

  await act(async () => expect(await flow().changeEmail(' ada@shop.example ')).toBeUndefined());
  expect(corrections).toEqual(['ada@rival.example', 'ada@shop.example']);
  expect(flow().state).toMatchObject({ step: 'verification', email: 'ada@shop.example' });
  await act(() => flow().submitVerificationCode('A1B2C3'));
  expect(codes).toEqual(['A1B2C3-n2']);
});

it('an address that was verified meanwhile needs no second email', async () => {
  const { flow, navigate } = await signUp({ resend: () => known('EMAIL_ALREADY_VERIFIED', 409) });
  await act(async () => expect(await flow().resend()).toBeUndefined());
  expect(flow().state.step).toBe('complete');
  expect(navigate).toHaveBeenCalledTimes(1);
});

it('a second email that was refused keeps the first code', async () => {
  const { flow, codes } = await signUp({ resend: () => new Response('Too many.', { status: 400 }) });
  expect(await act(() => flow().resend())).toMatchObject({ action: 'resend', field: undefined });
  await act(() => flow().submitVerificationCode('A1B2C3'));
  expect(codes).toEqual(['A1B2C3-n1']);
});

it('a visitor who skips the code is signed in, and stays on the page without redirects', async () => {
  const { flow, navigate, codes } = await signUp({ redirect: false });
  await act(async () => expect(await flow().skipVerification()).toBeUndefined());
  expect(flow().state.step).toBe('complete');
  expect(codes).toEqual([]);
  expect(navigate).not.toHaveBeenCalled();
  expect(() => flow().skipVerification()).toThrow('This needs the step verification, but the flow is at complete.');
});
