import { hasCode } from '@tessera/client/internals';
import { Card, CardContent, CardHeader, CardTitle } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import type { SignInStep } from '../../sign-in/machine.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import { usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { AuthFormProps } from '../auth-page/credential-sign-in.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { ResendButton } from './resend-button.tsx';
import { SentTo } from './sent-to.tsx';

/** The form that signs in, or up, with an emailed code or link. */
export function MagicLinkSignIn() {
  return (
    <PartSurface>
      <MagicLinkSteps />
    </PartSurface>
  );
}

function MagicLinkSteps() {
  const translate = useTranslate();
  const flow = usePageFlow();
  const { step } = flow;
  return step.step === 'code' ? (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
      <SentTo text={translate('magicLink.sent')} email={step.email} change={flow.startOver} />
      <MailedCodeForm sent={step} flow={flow} />
    </div>
  ) : (
    <MagicLinkForm flow={flow} />
  );
}

/** The step of a flow with an emailed code. */
type CodeStep = SignInStep & { readonly step: 'code' };

interface MailedCodeCardProps extends Pick<AuthFormProps, 'flow'> {
  sent: CodeStep;
  /** Goes back to the methods. */
  leave: () => void;
}

/** Replaces the sign-in page until the code is entered. */
export function MailedCodeCard({ sent, flow, leave }: MailedCodeCardProps) {
  const translate = useTranslate();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{translate('emailSent.title')}</CardTitle>
        <SentTo text={translate('magicLink.sent')} email={sent.email} change={leave} />
      </CardHeader>
      <CardContent>
        <MailedCodeForm sent={sent} flow={flow} />
      </CardContent>
    </Card>
  );
}

export function MagicLinkForm({ flow, offersPasskeys = false }: AuthFormProps) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async ({ email }) => {
      const problem = await flow.sendCode(email);
      if (problem && hasCode(problem.error, 'USER_EMAIL_ALREADY_EXISTS')) {
        return { field: 'email', message: translate('magicLink.unverified') };
      }
      return refusalOf<'email'>(problem, translate);
    },
  });

  return (
    <FormFrame opensPage form={form} submitText={translate('magicLink.submit')}>
      <EmailField
        {...form.field('email')}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
    </FormFrame>
  );
}

function MailedCodeForm({ sent, flow }: Omit<MailedCodeCardProps, 'leave'>) {
  const translate = useTranslate();

  async function signIn(code: string): Promise<string | undefined> {
    const problem = await flow.submitCode(code);
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
        submit={signIn}
      />
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ResendButton sentAtMillis={sent.sentAtMillis} resend={async () => (await flow.sendCode(sent.email))?.error} />
      </div>
    </>
  );
}
