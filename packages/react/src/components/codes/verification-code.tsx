import { hasCode } from '@tessera/client/internals';
import { Button, Card, CardContent, CardDescription, CardHeader, CardTitle } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import { useApp } from '../../hooks/hooks.ts';
import { useTranslate } from '../../words/translate.tsx';
import { codeOutcome } from './code-outcome.ts';
import { ResendButton } from './resend-button.tsx';

export interface VerificationCodeProps {
  /** The address of the new account. */
  email: string;
  /** Completes the code of the first email. */
  nonce: string;
  /** Leaves the page. */
  done: () => void;
}

/** Asks a user who has just signed up for the code of the verification email. */
export function VerificationCode({ email, nonce, done }: VerificationCodeProps) {
  const app = useApp();
  const translate = useTranslate();
  const [sent, setSent] = useState(() => ({ nonce, atMillis: Date.now() }));

  async function verify(code: string): Promise<string | undefined> {
    const outcome = codeOutcome(await app.verifyEmail(code + sent.nonce));
    // Used: the link of the same email was opened meanwhile.
    if (outcome !== 'ok' && outcome !== 'used') return translate('code.invalid');
    done();
    return undefined;
  }

  async function resend(): Promise<unknown> {
    try {
      const next = await app.sendVerificationCode();
      setSent({ nonce: next, atMillis: Date.now() });
      return undefined;
    } catch (error) {
      if (!hasCode(error, 'EMAIL_ALREADY_VERIFIED')) throw error;
      done();
      return undefined;
    }
  }

  return (
    <Card>
      <CardHeader>
        <CardTitle>{translate('emailSent.title')}</CardTitle>
        <CardDescription>
          {translate('magicLink.sent')}{' '}
          <strong className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{email}</strong>
        </CardDescription>
      </CardHeader>
      <CardContent>
        <CodeEntry key={sent.nonce} kind="letters" description={translate('magicLink.hint')} submit={verify} />
        <div className="tss:flex tss:flex-wrap tss:gap-3">
          <ResendButton sentAtMillis={sent.atMillis} resend={resend} />
          <Button variant="quiet" onClick={done}>
            {translate('action.notNow')}
          </Button>
        </div>
      </CardContent>
    </Card>
  );
}
