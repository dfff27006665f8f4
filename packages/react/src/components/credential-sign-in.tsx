import { useState } from 'react';
import { emailDraft } from '../form/email-draft.ts';
import { EmailField } from '../form/email-field.tsx';
import { emailProblem } from '../form/email-rule.ts';
import { FormFrame } from '../form/form-frame.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { passwordProblem } from '../form/password-rule.ts';
import { useGuardedForm } from '../form/use-guarded-form.ts';
import { useRule } from '../form/use-rule.ts';
import { useApp } from '../hooks.ts';
import { errorWords } from '../words/error-words.ts';
import { useSay } from '../words/say.tsx';
import { PartSurface } from './surface.tsx';

/** The form for e-mail and password of an existing account. */
export function CredentialSignIn() {
  return (
    <PartSurface>
      <CredentialSignInForm />
    </PartSurface>
  );
}

interface CredentialSignInFormProps {
  onSubmitting?: ((isSubmitting: boolean) => void) | undefined;
}

export function CredentialSignInForm({ onSubmitting }: CredentialSignInFormProps) {
  const app = useApp();
  const say = useSay();
  const rule = useRule();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    defaultValues: { email: draft.read(), password: '' },
    onSubmitting,
    submit: async values => {
      const result = await app.signInWithCredential({ email: values.email.trim(), password: values.password });
      if (result.status === 'error') return { field: 'email', message: errorWords(result.error, say) };
      draft.clear();
      return undefined;
    },
  });
  const { register, formState, clearErrors } = form;

  return (
    <FormFrame form={form} submitText={say('signIn.submit')}>
      <EmailField
        registration={register('email', {
          validate: rule(emailProblem),
          onChange: event => {
            draft.write(event.target.value);
            clearErrors('email');
          },
        })}
        error={formState.errors.email?.message}
      />
      <PasswordField
        registration={register('password', {
          validate: rule(passwordProblem),
          // A refusal of the pair stands at the address.
          onChange: () => clearErrors(['email', 'password']),
        })}
        label={say('field.password')}
        autoComplete="current-password"
        error={formState.errors.password?.message}
      />
    </FormFrame>
  );
}
