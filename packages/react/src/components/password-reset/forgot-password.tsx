import { CardDescription } from '@tessera/ui';
import { useState } from 'react';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import type { SentEmail } from '../../sign-in/machine.ts';
import { type SignInFlow, usePageFlow } from '../../sign-in/use-sign-in-flow.ts';
import { useTranslate } from '../../words/translate.tsx';
import { FormCard } from '../cards/form-card.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { SignedInCard } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { useFocusedTitle } from '../codes/code-link.tsx';
import { ResendButton } from '../codes/resend-button.tsx';
import { SentTo } from '../codes/sent-to.tsx';

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
  const flow = usePageFlow();

  if (flow.step.step === 'password-reset') return <EmailSentCard sent={flow.step} flow={flow} />;
  if (user.value) return <SignedInCard />;
  return (
    <FormCard title={translate('forgot.title')} lead={<CardDescription>{translate('forgot.text')}</CardDescription>}>
      <SendForm flow={flow} />
      <PageLink to="signIn">{translate('forgot.toSignIn')}</PageLink>
    </FormCard>
  );
}

interface EmailSentCardProps {
  sent: SentEmail;
  flow: SignInFlow;
}

/** Shown after the request. It does not reveal whether the account exists. */
function EmailSentCard({ sent: { email, sentAtMillis }, flow }: EmailSentCardProps) {
  const translate = useTranslate();
  const title = useFocusedTitle(true);
  const resend = async () => (await flow.sendPasswordReset(email))?.error;

  return (
    <FormCard
      title={translate('emailSent.title')}
      titleRef={title}
      lead={
        <>
          <SentTo text={translate('emailSent.text')} email={email} change={flow.startOver} />
          <CardDescription>{translate('emailSent.hint')}</CardDescription>
        </>
      }
    >
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ResendButton sentAtMillis={sentAtMillis} resend={resend} />
      </div>
      <PageLink to="signIn">{translate('forgot.toSignIn')}</PageLink>
    </FormCard>
  );
}

function SendForm({ flow }: { flow: SignInFlow }) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem },
    submit: async ({ email }) => {
      const problem = await flow.sendPasswordReset(email);
      if (problem !== undefined) throw problem.error;
      return undefined;
    },
  });

  return (
    <FormFrame opensPage form={form} submitText={translate('forgot.submit')}>
      <EmailField
        {...form.field('email')}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
    </FormFrame>
  );
}
