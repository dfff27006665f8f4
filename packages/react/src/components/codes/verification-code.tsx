import { Button } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import type { MailedCode } from '../../sign-in/mailed-code.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import type { SignInFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { FormCard } from '../cards/form-card.tsx';
import { EmailedCode } from './emailed-code.tsx';

interface VerificationCodeProps {
  sent: MailedCode;
  flow: SignInFlow;
  isPart?: boolean | undefined;
}

/** Asks a user who has just signed up for the code of the verification email, or for the right address. */
export function VerificationCode({ sent, flow, isPart }: VerificationCodeProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [isChanging, setChanging] = useState(false);

  if (isChanging) {
    return (
      <FormCard title={translate('emails.new')} isPart={isPart}>
        <AddressForm sent={sent} flow={flow} close={() => setChanging(false)} />
      </FormCard>
    );
  }
  return (
    <EmailedCode
      sent={sent}
      submit={flow.submitVerificationCode}
      resend={flow.resend}
      change={() => setChanging(true)}
      isPart={isPart}
    >
      <Button variant="quiet" onClick={() => attempt(async () => refusalOf(await flow.skipVerification(), translate))}>
        {translate('action.notNow')}
      </Button>
      <div className="tss:order-last tss:w-full tss:empty:hidden">{failure}</div>
    </EmailedCode>
  );
}

function AddressForm({ sent, flow, close }: Pick<VerificationCodeProps, 'sent' | 'flow'> & { close: () => void }) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async ({ email }) => refusalOf<'email'>(await flow.changeEmail(email), translate),
    done: close,
  });

  return (
    <FormFrame form={form} submitText={translate('magicLink.submit')} onCancel={close}>
      <EmailField {...form.field('email')} defaultValue={sent.email} />
    </FormFrame>
  );
}
