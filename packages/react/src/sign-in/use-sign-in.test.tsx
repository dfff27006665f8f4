import { RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { FakeApp } from '../test/fake-app.ts';
import { fakeApp, user } from '../test/fake-app.ts';
import { show } from '../test/show.tsx';
import { everything, known, offering, refusal, showPage } from '../test/sign-in-page.ts';
import { type SignInHook, type SignInOptions, type SignUpHook, useSignIn, useSignUp } from './use-sign-in.ts';

interface PageProps<Hook> {
  useFlow: (options?: SignInOptions) => Hook;
  options: SignInOptions | undefined;
  onRender: (hook: Hook) => void;
}

/** A page that shows its state, and passes its hook to the test. */
function Page<Hook extends SignInHook | SignUpHook>({ useFlow, options, onRender }: PageProps<Hook>) {
  const hook = useFlow(options);
  onRender(hook);
  return <output>{hook.state.step}</output>;
}

async function open<Hook extends SignInHook | SignUpHook>(
  useFlow: (options?: SignInOptions) => Hook,
  fake: FakeApp = offering({ ...everything, passkeyEnabled: false }),
  options?: SignInOptions,
) {
  let hook = {} as Hook;
  const keep = (latest: Hook) => {
    hook = latest;
  };
  const view = await show(<Page useFlow={useFlow} options={options} onRender={keep} />, { with: fake });
  /** Runs an action as an event handler does, and waits for it. */
  async function run<Value>(action: (now: Hook) => Promise<Value>): Promise<Value> {
    let value: Promise<Value> | undefined;
    await act(async () => {
      value = action(hook);
      await value;
    });
    return value as Promise<Value>;
  }
  return { ...view, run, now: () => hook, step: () => screen.getByRole('status').textContent };
}

const ada = { email: ' ada@example.com ', password: 'correct horse' };
const secondFactor = () => {
  const error = known('MULTI_FACTOR_AUTHENTICATION_REQUIRED') as Error & { details: unknown };
  return Object.assign(error, { details: { attempt_code: 'att' } });
};

it('useSignIn lists the methods of the project, and signs in with a password', async () => {
  const { app, run, now, step } = await open(useSignIn, offering(everything));
  expect(now().methods).toEqual({
    password: true,
    emailCode: true,
    passkey: true,
    providers: ['google', 'github', 'acme'],
  });
  expect(await run(hook => hook.signInWithPassword(ada))).toBeUndefined();
  expect(app.signInWithCredential).toHaveBeenCalledExactlyOnceWith({
    email: 'ada@example.com',
    password: 'correct horse',
    secondFactor: 'throw',
  });
  expect(step()).toBe('complete');
});

it('a refused password is the problem of its field, until the next action', async () => {
  const fake = offering(everything);
  fake.app.signInWithCredential.mockResolvedValueOnce(refusal('EMAIL_PASSWORD_MISMATCH'));
  const { run, now } = await open(useSignIn, fake);
  const problem = await run(hook => hook.signInWithPassword(ada));
  expect(problem).toMatchObject({ action: 'password', field: 'password' });
  expect(now().state).toMatchObject({ step: 'start', problem, pending: undefined });
  await run(hook => hook.signInWithPassword(ada));
  expect(now().state).toMatchObject({ step: 'complete' });
});

it('two equal actions at the same time are one request', async () => {
  const { app, run } = await open(useSignIn);
  await run(hook => Promise.all([hook.signInWithPassword(ada), hook.signInWithPassword(ada)]));
  expect(app.signInWithCredential).toHaveBeenCalledTimes(1);
});

it('a second factor is the next step, with a wrong code, a recovery code and a new start', async () => {
  const fake = offering(everything);
  fake.app.signInWithCredential.mockRejectedValue(secondFactor());
  fake.app.signInWithMfa.mockResolvedValueOnce(refusal('INVALID_TOTP_CODE'));
  const { run, now, step } = await open(useSignIn, fake);
  expect(await run(hook => hook.signInWithPassword(ada))).toBeUndefined();
  expect(now().state).toMatchObject({ step: 'second-factor', attemptCode: 'att', isOver: false });

  expect(await run(hook => hook.submitTotp('000000'))).toMatchObject({ field: 'code' });
  expect(fake.app.signInWithMfa).toHaveBeenCalledWith('000000', 'att', {});
  await run(async hook => hook.startOver());
  expect(step()).toBe('start');

  await run(hook => hook.signInWithPassword(ada));
  expect(await run(hook => hook.submitRecoveryCode('4f0k-9zqt-1m7c'))).toBeUndefined();
  expect(step()).toBe('complete');
});

it('an attempt that has expired is reported, and a lost connection does not end it', async () => {
  sessionStorage.setItem('stack_mfa_attempt_code', 'kept');
  const fake = offering(everything);
  fake.app.signInWithMfa.mockRejectedValueOnce(new RequestError('unreachable', 'no'));
  fake.app.signInWithMfa.mockResolvedValueOnce(refusal('VERIFICATION_CODE_EXPIRED'));
  const { run, now } = await open(useSignIn, fake);
  await run(hook => hook.submitTotp('000000'));
  expect(now().state).toMatchObject({ step: 'second-factor', isOver: false });
  await run(hook => hook.submitTotp('000000'));
  expect(now().state).toMatchObject({ step: 'second-factor', isOver: true });
  expect(sessionStorage.getItem('stack_mfa_attempt_code')).toBeNull();
});

it('an emailed code is entered here, also after a reload', async () => {
  const fake = offering(everything);
  const first = await open(useSignIn, fake, { redirect: false });
  await first.run(hook => hook.sendCode(ada.email));
  expect(first.now().state).toMatchObject({ step: 'code', email: 'ada@example.com' });
  first.unmount();

  fake.app.signInWithMagicLink.mockResolvedValueOnce(refusal('VERIFICATION_CODE_NOT_FOUND'));
  const { run, now, step } = await open(useSignIn, fake, { redirect: false });
  expect(step()).toBe('code');
  expect(await run(hook => hook.submitCode('ABC123'))).toMatchObject({ field: 'code' });
  expect(now().state).toMatchObject({ step: 'code' });
  await run(hook => hook.submitCode('ABC124'));
  expect(fake.app.signInWithMagicLink).toHaveBeenLastCalledWith('ABC124n0nce', {
    noRedirect: true,
    secondFactor: 'throw',
  });
  expect(step()).toBe('complete');
});

it('a refused passkey is a problem of the whole form', async () => {
  const fake = offering({ ...everything, passkeyEnabled: false });
  fake.app.signInWithPasskey.mockResolvedValueOnce(refusal('PASSKEY_AUTHENTICATION_FAILED'));
  const { run } = await open(useSignIn, fake);
  expect(await run(hook => hook.signInWithPasskey())).toMatchObject({ action: 'passkey', field: undefined });
});

it('a provider is pending until the visitor comes back to the page', async () => {
  const { run, now } = await open(useSignIn, offering(everything));
  await run(async hook => void hook.signInWithProvider('github'));
  expect(now().state).toMatchObject({ pending: { action: 'provider', provider: 'github' } });
  await showPage(true);
  expect(now().state).toMatchObject({ step: 'start', pending: undefined });
});

it('a password reset is a step that a new start leaves', async () => {
  const { run, now, step } = await open(useSignIn, offering(everything));
  await run(hook => hook.sendPasswordReset(ada.email));
  expect(now().state).toMatchObject({ step: 'password-reset', email: 'ada@example.com' });
  await run(async hook => hook.startOver());
  expect(step()).toBe('start');
});

it('useSignUp creates an account, and shows an address that is in use at its field', async () => {
  const fake = offering(everything);
  fake.app.signUpWithCredential.mockResolvedValueOnce(refusal('USER_EMAIL_ALREADY_EXISTS'));
  const { run, step } = await open(useSignUp, fake);
  expect(await run(hook => hook.signUpWithPassword(ada))).toMatchObject({ field: 'email' });
  await run(hook => hook.signUpWithPassword(ada));
  expect(step()).toBe('complete');
});

it('the state of a page without a form is loading, failed, signed in or sign-up disabled', async () => {
  const loading = fakeApp();
  loading.readers.project.forget();
  const page = await open(useSignIn, loading);
  expect(page.step()).toBe('loading');
  expect(page.now().methods.providers).toEqual([]);
  await act(async () => loading.readers.project.fail(new RequestError('unreachable', 'no')));
  expect(page.now().state).toMatchObject({ step: 'failed', error: { reason: 'unreachable' } });
  page.unmount();

  const signedIn = offering(everything);
  signedIn.readers.user.set(user());
  const second = await open(useSignIn, signedIn);
  expect(second.step()).toBe('signed-in');
  second.unmount();
  expect((await open(useSignUp, offering({ signUpEnabled: false }))).step()).toBe('sign-up-disabled');
});

it('a user who signs out on the page, after a sign-in there, can sign in again', async () => {
  const fake = offering(everything);
  const { run, now, step } = await open(useSignIn, fake, { redirect: false });
  await run(hook => hook.signInWithPassword(ada));
  await act(async () => fake.readers.user.set(user()));
  expect(step()).toBe('complete');
  await act(async () => fake.readers.user.set(null));
  expect(step()).toBe('start');

  await run(hook => hook.sendCode(ada.email));
  expect(now().state).toMatchObject({ step: 'code', email: 'ada@example.com' });
});

it('after a sign-in, a new start is the state of a signed-in visitor, and a refused action is a problem', async () => {
  const fake = offering(everything);
  const { run, now, step } = await open(useSignIn, fake, { redirect: false });
  await run(hook => hook.signInWithPassword(ada));
  fake.app.signInWithCredential.mockResolvedValueOnce(refusal('EMAIL_PASSWORD_MISMATCH'));
  await run(hook => hook.signInWithPassword(ada));
  expect(now().state).toMatchObject({ step: 'start', problem: { field: 'password' } });

  await run(hook => hook.signInWithPassword(ada));
  await act(async () => fake.readers.user.set(user()));
  await run(async hook => hook.startOver());
  expect(step()).toBe('signed-in');
});

it('an action that does not fit the step is a mistake of the page', async () => {
  const { now } = await open(useSignIn);
  expect(() => now().submitCode('ABC123')).toThrow('This needs the step code, but the flow is at start.');
});
