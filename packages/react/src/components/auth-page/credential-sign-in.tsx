import { RequestError } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { PasswordField } from '../../form/password-field.tsx';
import { passwordProblem } from '../../form/password-rule.ts';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { refusalOf } from '../../sign-in/refusal.ts';
import { type SignInFlow, usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { PartSurface } from '../cards/surface.tsx';

/** The form for the email address and password of an existing account. */
export function CredentialSignIn() {
  const flow = usePageFlow();
  return (
    <PartSurface>
      <CredentialSignInForm flow={flow} />
    </PartSurface>
  );
}

/** What the sign-in page passes to its forms. */
export interface AuthFormProps {
  flow: SignInFlow;
  /** Whether the browser offers passkeys in the address input. */
  offersPasskeys?: boolean | undefined;
  /** The action that has led to the form, which then takes the focus. */
  step?: string | undefined;
  /** Shows the form of the other method: password or email code. Default: there is none. */
  chooseOther?: (() => void) | undefined;
}

export function CredentialSignInForm({ flow, offersPasskeys = false, step, chooseOther }: AuthFormProps) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem, password: passwordProblem },
    // A refusal of address and password is shown at the password, which is the likelier mistake.
    clearedBy: { password: ['email'] },
    submit: async credentials => {
      const refusal = refusalOf<'email' | 'password'>(await flow.signInWithPassword(credentials), translate);
      if (refusal !== undefined) return refusal;
      draft.clear();
      return undefined;
    },
  });

  const isLimited = form.failure instanceof RequestError && form.failure.reason === 'too-many-requests';
  return (
    <FormFrame opensPage step={step} form={form} submitText={translate('action.signIn')}>
      <EmailField
        {...form.field('email')}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
      <PasswordField
        {...form.field('password')}
        label={translate('field.password')}
        autoComplete="current-password"
        action={<PageLink to="forgotPassword">{translate('signIn.toForgot')}</PageLink>}
      />
      {chooseOther && isLimited && (
        <Button variant="secondary" onClick={chooseOther}>
          {translate('magicLink.submit')}
        </Button>
      )}
    </FormFrame>
  );
}
