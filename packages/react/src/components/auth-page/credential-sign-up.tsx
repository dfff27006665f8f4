import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { NewPasswordField } from '../../form/new-password-field.tsx';
import { PasswordField } from '../../form/password-field.tsx';
import { newPasswordProblem, repeatRule } from '../../form/password-rule.ts';
import { useGuardedForm, valuesOf } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import { usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { VerificationCode } from '../codes/verification-code.tsx';
import type { AuthFormProps } from './credential-sign-in.tsx';

/** Options of the field for a new password. */
export interface CredentialSignUpProps {
  /** Whether there is one password field only. Default: true, because the password can be shown. */
  noPasswordRepeat?: boolean | undefined;
}

/** The form that creates an account with email address and password. */
export function CredentialSignUp(props: CredentialSignUpProps) {
  const flow = usePageFlow();
  return (
    <PartSurface>
      {flow.step.step === 'verification' ? (
        <VerificationCode isPart sent={flow.step} flow={flow} />
      ) : (
        <CredentialSignUpForm {...props} flow={flow} />
      )}
    </PartSurface>
  );
}

export function CredentialSignUpForm({
  noPasswordRepeat = true,
  flow,
}: CredentialSignUpProps & Pick<AuthFormProps, 'flow'>) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: {
      email: emailProblem,
      password: newPasswordProblem,
      repeat: noPasswordRepeat ? () => undefined : repeatRule,
    },
    clearedBy: { password: ['repeat'], repeat: ['password'] },
    submit: async ({ email, password }) => {
      const refusal = refusalOf<'email' | 'password'>(await flow.signUpWithPassword({ email, password }), translate);
      if (refusal !== undefined) return refusal;
      draft.clear();
      return undefined;
    },
  });

  const email = form.field('email');
  const isTaken = email.error === translate('error.USER_EMAIL_ALREADY_EXISTS');
  return (
    <FormFrame opensPage form={form} submitText={translate('signUp.submit')}>
      <EmailField
        {...email}
        error={isTaken ? <TakenAddress /> : email.error}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
      <NewPasswordField
        {...form.field('password')}
        label={translate('field.password')}
        knownWords={element => [valuesOf(element, ['email']).email]}
      />
      {!noPasswordRepeat && (
        <PasswordField
          {...form.field('repeat')}
          label={translate('field.passwordRepeat')}
          autoComplete="new-password"
        />
      )}
    </FormFrame>
  );
}

/** The sign-in page opens with the typed address, which is a draft of this tab. */
function TakenAddress() {
  const translate = useTranslate();

  return (
    <>
      {translate('signUp.taken')} <PageLink to="signIn">{translate('signUp.toSignIn')}</PageLink>.
    </>
  );
}
