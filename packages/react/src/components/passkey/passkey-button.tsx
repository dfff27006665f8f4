import { Button, FormSummary, KeyRound } from '@tessera/ui';
import { lastUsedMethod } from '../../sign-in/last-used.ts';
import { type SignInFlow, usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { LastUsedBadge } from '../auth-page/last-used-badge.tsx';
import { PartSurface } from '../cards/surface.tsx';

/** Props of `PasskeyButton`. */
export interface PasskeyButtonProps {
  /** Passkeys are added in the account settings, so sign-in is the only type. */
  type?: 'sign-in' | undefined;
}

/** A button that signs in with a passkey. */
export function PasskeyButton(_: PasskeyButtonProps) {
  const flow = usePageFlow();
  return (
    <PartSurface>
      <PasskeySignIn isLastUsed={lastUsedMethod() === 'passkey'} isMock={false} flow={flow} />
    </PartSurface>
  );
}

interface PasskeySignInProps {
  isLastUsed: boolean;
  isMock: boolean;
  flow: SignInFlow;
}

export function PasskeySignIn({ isLastUsed, isMock, flow }: PasskeySignInProps) {
  const translate = useTranslate();
  const { problem } = flow.step;

  async function signIn() {
    if (!isMock) await flow.signInWithPasskey();
  }

  return (
    <div className="tss:grid tss:gap-1.5">
      <Button variant="secondary" className="tessera-passkey-button" onClick={signIn}>
        <KeyRound className="tss:size-5" />
        {translate('passkey.signIn')}
        {isLastUsed && <LastUsedBadge />}
      </Button>
      {problem?.action === 'passkey' && <FormSummary title={errorWords(problem.error, translate)} />}
    </div>
  );
}
