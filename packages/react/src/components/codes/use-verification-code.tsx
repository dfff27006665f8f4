import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import type { AskForVerificationCode } from '../../sign-in/calls.ts';
import type { VerificationCodeProps } from './verification-code.tsx';

const VerificationCode: ComponentType<VerificationCodeProps> = lazy(async () => ({
  default: (await import('../../lazy/visit-pages.ts')).VerificationCode,
}));

/** The code of the verification email after a sign-up: the card to show instead of the form, and what opens it. */
export function useVerificationCode(): { card: ReactNode; askForVerificationCode: AskForVerificationCode } {
  const [asked, setAsked] = useState<VerificationCodeProps>();

  const askForVerificationCode: AskForVerificationCode = async sent => {
    await new Promise<void>(done => setAsked({ ...sent, done }));
    setAsked(undefined);
  };

  const card = asked && (
    <Suspense>
      <VerificationCode {...asked} />
    </Suspense>
  );
  return { card, askForVerificationCode };
}
