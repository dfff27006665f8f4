import { Card, CardContent, CardDescription, CardHeader, CardTitle } from '@tessera/ui';
import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { EmailSentCard, SignedInCard } from '../cards/predefined-cards.tsx';
import { PageSurface, PartSurface } from '../cards/surface.tsx';
import { useFocusedTitle } from '../codes/code-link.tsx';

/** Props of `ForgotPassword`. */
export interface ForgotPasswordProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
}

/** The page that sends a link to set a new password. */
export function ForgotPassword({ fullPage }: ForgotPasswordProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <ForgottenPassword />
    </PageSurface>
  );
}

function ForgottenPassword() {
  const translate = useTranslate();
  const user = useUserState();
  const [wasSent, setSent] = useState(false);
  const title = useFocusedTitle(wasSent);

  if (wasSent) return <EmailSentCard titleRef={title} />;
  if (user.value) return <SignedInCard />;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{translate('forgot.title')}</CardTitle>
        <CardDescription>{translate('forgot.text')}</CardDescription>
      </CardHeader>
      <CardContent>
        <SendForm onSent={() => setSent(true)} />
        <PageLink to="signIn">{translate('forgot.toSignIn')}</PageLink>
      </CardContent>
    </Card>
  );
}

/** Props of `ForgotPasswordForm`. */
export interface ForgotPasswordFormProps {
  /** Called when the server accepted the request, whether the account exists or not. */
  onSent?: (() => void) | undefined;
}

/** The form of the page alone. */
export function ForgotPasswordForm(props: ForgotPasswordFormProps) {
  return (
    <PartSurface>
      <SendForm {...props} />
    </PartSurface>
  );
}

function SendForm({ onSent }: ForgotPasswordFormProps) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async ({ email }) => {
      // The result is ignored: the page must not reveal whether the account exists.
      await app.sendForgotPasswordEmail(email.trim());
      onSent?.();
      return undefined;
    },
  });

  return (
    <FormFrame form={form} submitText={translate('forgot.submit')}>
      <EmailField
        {...form.field('email')}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
    </FormFrame>
  );
}
