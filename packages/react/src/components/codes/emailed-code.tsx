import { hasCode } from '@tessera/client/internals';
import type { ReactNode } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import type { MailedCode } from '../../sign-in/mailed-code.ts';
import type { SignInFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { FormCard } from '../cards/form-card.tsx';
import { ResendButton } from './resend-button.tsx';
import { SentTo } from './sent-to.tsx';

/** The step of a flow that waits for an emailed code, and its actions. */
interface EmailedCodeProps {
  sent: MailedCode;
  submit: SignInFlow['submitCode'];
  resend: SignInFlow['resend'];
  /** Goes back to the address. Default: the address cannot be changed. */
  change?: () => void;
  /** Without a card, for a form that a host app uses alone. */
  isPart?: boolean | undefined;
  /** Beside the button that sends the email again. */
  children?: ReactNode;
}

/** Replaces a form until the code of an email is entered. */
export function EmailedCode({ sent, change, isPart, ...actions }: EmailedCodeProps) {
  const translate = useTranslate();

  return (
    <FormCard
      title={translate('emailSent.title')}
      lead={<SentTo text={translate('magicLink.sent')} email={sent.email} change={change} />}
      isPart={isPart}
    >
      <EmailedCodeForm sent={sent} {...actions} />
    </FormCard>
  );
}

function EmailedCodeForm({ sent, submit, resend, children }: EmailedCodeProps) {
  const translate = useTranslate();

  async function check(code: string): Promise<string | undefined> {
    const problem = await submit(code);
    if (problem === undefined) return undefined;
    if (problem.field === undefined) throw problem.error;
    return translate(hasCode(problem.error, 'INVALID_TOTP_CODE') ? 'error.INVALID_TOTP_CODE' : 'code.invalid');
  }

  return (
    <>
      <CodeEntry
        // A new email has a new code.
        key={sent.nonce}
        kind="letters"
        description={translate('magicLink.hint')}
        submit={check}
      />
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ResendButton sentAtMillis={sent.sentAtMillis} resend={async () => (await resend())?.error} />
        {children}
      </div>
    </>
  );
}
