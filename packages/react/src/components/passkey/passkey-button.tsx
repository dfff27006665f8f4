import { Button, FormSummary, KeyRound } from '@tessera/ui';
import { useState } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { lastUsedMethod, signInBy } from '../auth-page/last-used.ts';
import { LastUsedBadge } from '../auth-page/last-used-badge.tsx';
import { PartSurface } from '../cards/surface.tsx';

/** Props of `PasskeyButton`. */
export interface PasskeyButtonProps {
  /** Passkeys are added in the account settings, so sign-in is the only type. */
  type?: 'sign-in' | undefined;
}

/** A button that signs in with a passkey. */
export function PasskeyButton(_: PasskeyButtonProps) {
  return (
    <PartSurface>
      <PasskeySignIn isLastUsed={lastUsedMethod() === 'passkey'} isMock={false} />
    </PartSurface>
  );
}

interface PasskeySignInProps {
  isLastUsed: boolean;
  isMock: boolean;
  /** Called when the prompt ended without a sign-in. */
  onEnd?: () => void;
}

export function PasskeySignIn({ isLastUsed, isMock, onEnd }: PasskeySignInProps) {
  const app = useApp();
  const translate = useTranslate();
  const [problem, setProblem] = useState<string>();

  async function signIn() {
    if (isMock) return;
    setProblem(undefined);
    try {
      const result = await signInBy('passkey', () => app.signInWithPasskey());
      if (result.status === 'error') setProblem(errorWords(result.error, translate));
    } catch (error) {
      setProblem(errorWords(error, translate));
    }
    onEnd?.();
  }

  return (
    <div className="tss:grid tss:gap-1.5">
      <Button variant="secondary" className="tessera-passkey-button" onClick={signIn}>
        <KeyRound aria-hidden className="tss:size-5" />
        {translate('passkey.signIn')}
        {isLastUsed && <LastUsedBadge />}
      </Button>
      {problem !== undefined && <FormSummary title={problem} />}
    </div>
  );
}
