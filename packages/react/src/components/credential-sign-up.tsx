import { KnownErrors } from '@tessera/client';
import { PasswordStrength } from '@tessera/ui';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { emailDraft } from '../form/email-draft.ts';
import { EmailField } from '../form/email-field.tsx';
import { emailProblem } from '../form/email-rule.ts';
import { FormFrame } from '../form/form-frame.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { newPasswordProblem, passwordLengths, repeatProblem } from '../form/password-rule.ts';
import { type GuardedForm, useGuardedForm } from '../form/use-guarded-form.ts';
import { useRule } from '../form/use-rule.ts';
import { useApp } from '../hooks.ts';
import { errorWords } from '../words/error-words.ts';
import { useSay } from '../words/say.tsx';
import { PartSurface } from './surface.tsx';

export interface CredentialSignUpProps {
  /** Leaves out the second password field; the button that shows the password does the same service. */
  noPasswordRepeat?: boolean | undefined;
}

/** The form that opens an account with e-mail and password. */
export function CredentialSignUp(props: CredentialSignUpProps) {
  return (
    <PartSurface>
      <CredentialSignUpForm {...props} />
    </PartSurface>
  );
}

interface SignUpValues {
  email: string;
  password: string;
  repeat: string;
}

interface CredentialSignUpFormProps extends CredentialSignUpProps {
  onSubmitting?: ((isSubmitting: boolean) => void) | undefined;
}

export function CredentialSignUpForm({ noPasswordRepeat = false, onSubmitting }: CredentialSignUpFormProps) {
  const app = useApp();
  const say = useSay();
  const rule = useRule();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm<SignUpValues>({
    defaultValues: { email: draft.read(), password: '', repeat: '' },
    onSubmitting,
    submit: async values => {
      const result = await app.signUpWithCredential({ email: values.email.trim(), password: values.password });
      if (result.status === 'error') {
        const isPassword = KnownErrors.PasswordRequirementsNotMet.isInstance(result.error);
        return { field: isPassword ? 'password' : 'email', message: errorWords(result.error, say) };
      }
      draft.clear();
      return undefined;
    },
  });
  const { register, formState, clearErrors } = form;
  const clearPasswordErrors = () => clearErrors(['password', 'repeat']);

  return (
    <FormFrame form={form} submitText={say('signUp.submit')}>
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
        registration={register('password', { validate: rule(newPasswordProblem), onChange: clearPasswordErrors })}
        label={say('field.password')}
        autoComplete="new-password"
        description={say('field.passwordHint', passwordLengths)}
        error={formState.errors.password?.message}
      >
        <StrengthMeter form={form} />
      </PasswordField>
      {!noPasswordRepeat && (
        <PasswordField
          registration={register('repeat', {
            validate: rule((repeat, values: SignUpValues) => repeatProblem(values.password, repeat)),
            onChange: clearPasswordErrors,
          })}
          label={say('field.passwordRepeat')}
          autoComplete="new-password"
          error={formState.errors.repeat?.message}
        />
      )}
    </FormFrame>
  );
}

/** On its own, because it renders at every key and the form need not. */
function StrengthMeter({ form }: { form: GuardedForm<SignUpValues> }) {
  const say = useSay();
  const [email, password] = useWatch({ control: form.control, name: ['email', 'password'] });

  return (
    <PasswordStrength
      value={password}
      knownWords={[email]}
      label={say('strength.label')}
      levelLabels={{
        0: say('strength.0'),
        1: say('strength.1'),
        2: say('strength.2'),
        3: say('strength.3'),
        4: say('strength.4'),
      }}
    />
  );
}
