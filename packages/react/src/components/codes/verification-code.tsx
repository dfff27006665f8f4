import { Button } from '@tessera/ui';
import { useAttempt } from '../../form/use-attempt.tsx';
import type { MailedCode } from '../../sign-in/mailed-code.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import type { SignInFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { EmailedCode } from './emailed-code.tsx';

interface VerificationCodeProps {
  sent: MailedCode;
  flow: SignInFlow;
  isPart?: boolean;
}

/** Asks a user who has just signed up for the code of the verification email. */
export function VerificationCode({ sent, flow, isPart }: VerificationCodeProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  return (
    <EmailedCode sent={sent} submit={flow.submitVerificationCode} resend={flow.resend} isPart={isPart}>
      <Button variant="quiet" onClick={() => attempt(async () => refusalOf(await flow.skipVerification(), translate))}>
        {translate('action.notNow')}
      </Button>
      <div className="tss:order-last tss:w-full tss:empty:hidden">{failure}</div>
    </EmailedCode>
  );
}
