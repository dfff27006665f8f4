import type { ClientApp } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { type CallOptions, type Credentials, dataOf } from './calls.ts';
import { signInBy } from './last-used.ts';
import { moveTo, type SignInEvent } from './machine.ts';

/** The actions of a sign-up with a password, like `signInCalls`. */
export function signUpCalls(app: ClientApp<true>, { redirect, afterVerification }: CallOptions) {
  async function leave(): Promise<SignInEvent> {
    if (redirect) await app.redirectToAfterSignUp({ replace: true });
    return moveTo({ step: 'complete' });
  }

  async function leaveVerification(): Promise<SignInEvent> {
    await afterVerification?.();
    return leave();
  }

  async function resend(email: string): Promise<SignInEvent> {
    try {
      return verificationSent(email, await app.sendVerificationCode());
    } catch (error) {
      if (!hasCode(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
      return leaveVerification();
    }
  }

  return {
    async signUp({ email: typed, password }: Credentials): Promise<SignInEvent> {
      const email = typed.trim();
      let nonce = '';
      const onVerificationCode = async (received: string) => {
        nonce = received;
      };
      // The client does not leave the page, because the page may ask for the code first.
      const options = { email, password, onVerificationCode, noRedirect: true };
      dataOf(await signInBy('password', () => app.signUpWithCredential(options)));
      return nonce ? verificationSent(email, nonce) : leave();
    },

    async verification(code: string, nonce: string): Promise<SignInEvent> {
      const result = await app.verifyEmail(code + nonce);
      // Used: the link of the same email was opened meanwhile.
      if (result.status === 'error' && !hasCode(result.error, 'VERIFICATION_CODE_ALREADY_USED')) throw result.error;
      return leaveVerification();
    },

    resend,

    /** Corrects the address of the account, so that no account keeps the address of another person. */
    async changeEmail(typed: string, current: string): Promise<SignInEvent> {
      const email = typed.trim();
      if (email !== current) {
        const user = await app.getUser({ or: 'throw' });
        const channels = await user.listContactChannels();
        await channels.find(({ isPrimary }) => isPrimary)?.update({ value: email });
      }
      return resend(email);
    },

    skipVerification: leaveVerification,
  };
}

function verificationSent(email: string, nonce: string): SignInEvent {
  return moveTo({ step: 'verification', email, nonce, sentAtMillis: Date.now() });
}
