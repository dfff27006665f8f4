import { KnownErrors } from '@tessera/client';
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
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PartSurface } from '../cards/surface.tsx';
import type { AuthFormProps } from './credential-sign-in.tsx';
import { signInBy } from './last-used.ts';

/** Options of the field for a new password. */
export interface CredentialSignUpProps {
  /** Whether there is one password field only. Default: true, because the password can be shown. */
  noPasswordRepeat?: boolean | undefined;
}

/** The form that creates an account with email address and password. */
export function CredentialSignUp(props: CredentialSignUpProps) {
  return (
    <PartSurface>
      <CredentialSignUpForm {...props} />
    </PartSurface>
  );
}

export function CredentialSignUpForm({
  noPasswordRepeat = true,
  onSubmitting,
}: CredentialSignUpProps & Pick<AuthFormProps, 'onSubmitting'>) {
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
    onSubmitting,
    submit: async ({ email, password }) => {
      const result = await signInBy('password', () => app.signUpWithCredential({ email: email.trim(), password }));
      if (result.status === 'error') {
        const isPassword = KnownErrors.PasswordRequirementsNotMet.isInstance(result.error);
        return { field: isPassword ? 'password' : 'email', message: errorWords(result.error, translate) };
      }
      draft.clear();
      return undefined;
    },
  });

  return (
    <FormFrame opensPage form={form} submitText={translate('signUp.submit')}>
      <EmailField
        {...form.field('email')}
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
