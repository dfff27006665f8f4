import { Button } from '@tessera/ui';
import { useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint } from '../parts/parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { signInAddress } from './methods.ts';

/** Why a section needs a verified address, with a button that sends the verification email. */
export function VerifyFirst({ channels }: Pick<AuthSectionProps, 'channels'>) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [note, setNote] = useState('');
  const channel = signInAddress(channels);

  async function send() {
    if (channel === undefined) return;
    setNote('');
    if (await attempt(() => channel.sendVerificationEmail()))
      setNote(translate('emails.verifySent', { email: channel.value }));
  }

  return (
    <>
      <Hint>{translate('access.needsVerified')}</Hint>
      {channel && (
        <Button variant="secondary" onClick={send}>
          {translate('emails.verify')}
        </Button>
      )}
      <p role="status" className="tss:text-sm tss:wrap-anywhere tss:empty:hidden">
        {note}
      </p>
      {failure}
    </>
  );
}
