import { hasCode } from '@tessera/client/internals';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import type { MailedCode } from '../../sign-in/mailed-code.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import { usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { AuthFormProps } from '../auth-page/credential-sign-in.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { EmailedCode } from './emailed-code.tsx';

/** The form that signs in, or up, with an emailed code or link. */
export function MagicLinkSignIn() {
  return (
    <PartSurface>
      <MagicLinkSteps />
    </PartSurface>
  );
}

function MagicLinkSteps() {
  const flow = usePageFlow();
  const { step } = flow;
  return step.step === 'code' ? (
    <SignInCode isPart sent={step} flow={flow} change={flow.startOver} />
  ) : (
    <MagicLinkForm flow={flow} />
  );
}

interface SignInCodeProps extends Pick<AuthFormProps, 'flow'> {
  sent: MailedCode;
  /** Goes back to the form. */
  change: () => void;
  isPart?: boolean;
}

/** Replaces the form until the code is entered. */
export function SignInCode({ flow, ...props }: SignInCodeProps) {
  return <EmailedCode {...props} submit={flow.submitCode} resend={() => flow.sendCode(props.sent.email)} />;
}

export function MagicLinkForm({ flow, offersPasskeys = false, step, chooseOther }: AuthFormProps) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));
  // The address is not verified, or its user has turned codes off: the server does not tell which.
  const refusedText = translate('magicLink.refused');

  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async ({ email }) => {
      const problem = await flow.sendCode(email);
      if (problem && hasCode(problem.error, 'USER_EMAIL_ALREADY_EXISTS')) {
        return { field: 'email', message: refusedText };
      }
      return refusalOf<'email'>(problem, translate);
    },
  });

  const email = form.field('email');
  return (
    <FormFrame opensPage step={step} form={form} submitText={translate('magicLink.submit')}>
      <EmailField
        {...email}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
      {chooseOther && email.error === refusedText && (
        <Button variant="secondary" onClick={chooseOther}>
          {translate('reauth.password')}
        </Button>
      )}
    </FormFrame>
  );
}
