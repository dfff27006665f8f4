import { RequestError } from '@tessera/client';
import { hasCode } from '@tessera/client/internals';
import { Button, Card, CardDescription, CardHeader, CardTitle, Check } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import { RecoveryCodeField } from '../../form/code-field.tsx';
import { codeProblem } from '../../form/code-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import type { SignInProblem } from '../../sign-in/machine.ts';
import { useSignInFlow } from '../../sign-in/use-sign-in-flow.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { Translate } from '../../words/words.ts';
import { ActionCard } from '../cards/action-card.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';

/** Props of `MFA`. */
export interface MfaProps {
  /** Centres the page in the window, with a heading. Default: inline. */
  fullPage?: boolean | undefined;
  /** Called instead of the redirect to `afterSignIn`. */
  onSuccess?: (() => void) | undefined;
  /** Adds a Back button. */
  onCancel?: (() => void) | undefined;
}

/** The page that asks for the code of an authenticator app. */
export function MFA({ fullPage = false, ...props }: MfaProps) {
  return (
    <PageSurface fullPage={fullPage}>
      <SecondFactor fullPage={fullPage} {...props} />
    </PageSurface>
  );
}

function SecondFactor({ fullPage, onSuccess, onCancel }: MfaProps) {
  const app = useApp();
  const translate = useTranslate();
  const flow = useSignInFlow({ secondFactor: 'here', redirect: false });
  const [recovers, setRecovers] = useState(false);
  const { step } = flow;
  const isVerified = step.step === 'complete';
  const isOver = step.step === 'second-factor' && step.isOver;
  if (step.step !== 'second-factor' && !isVerified) return <NoAttemptCard />;

  async function verify(submitted: Promise<SignInProblem | undefined>): Promise<string | undefined> {
    const problem = await submitted;
    if (problem !== undefined) return problemWords(problem, translate);
    if (onSuccess) onSuccess();
    else await app.redirectToAfterSignIn({ replace: true });
    return undefined;
  }

  return (
    <Card>
      <CardHeader>
        {fullPage && <CardTitle>{translate('totp.title')}</CardTitle>}
        <CardDescription>{translate(recovers ? 'mfa.recoveryText' : 'mfa.text')}</CardDescription>
      </CardHeader>
      {isVerified && <Verified />}
      {!isVerified && !recovers && <CodeEntry kind="digits" submit={totp => verify(flow.submitTotp(totp))} />}
      {!isVerified && recovers && <RecoveryCodeForm submit={code => verify(flow.submitRecoveryCode(code))} />}
      {isOver && !isVerified && <PageLink to="signIn">{translate('mfa.again')}</PageLink>}
      {!isOver && !isVerified && (
        <div className="tss:flex tss:flex-wrap tss:justify-between tss:gap-x-6 tss:gap-y-1 tss:text-sm">
          <Button variant="link" onClick={() => setRecovers(!recovers)}>
            {translate(recovers ? 'mfa.useApp' : 'mfa.recovery')}
          </Button>
          <PageLink to="signIn">{translate('mfa.otherAccount')}</PageLink>
        </div>
      )}
      {onCancel && !isVerified && (
        <Button variant="quiet" onClick={onCancel}>
          {translate('action.cancel')}
        </Button>
      )}
    </Card>
  );
}

/** @throws when the code may still be valid, because no response arrived. */
function problemWords({ error }: SignInProblem, translate: Translate): string {
  if (error instanceof RequestError) throw error;
  if (hasCode(error, 'INVALID_TOTP_CODE', 'INVALID_RECOVERY_CODE')) return errorWords(error, translate);
  return translate('mfa.failed');
}

function RecoveryCodeForm({ submit }: { submit: (recoveryCode: string) => Promise<string | undefined> }) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { recoveryCode: codeProblem },
    submit: async ({ recoveryCode }) => {
      const message = await submit(recoveryCode);
      return message === undefined ? undefined : { field: 'recoveryCode', message };
    },
  });

  return (
    <FormFrame form={form} submitText={translate('action.signIn')}>
      <RecoveryCodeField {...form.field('recoveryCode')} />
    </FormFrame>
  );
}

function Verified() {
  const translate = useTranslate();

  return (
    <p role="status" className="tss:flex tss:items-center tss:gap-2 tss:font-medium">
      <Check className="tss:size-5 tss:text-primary" />
      {translate('mfa.verified')}
    </p>
  );
}

/** The URL was opened directly or in another tab: there is no sign-in to complete. */
function NoAttemptCard() {
  const translate = useTranslate();
  const { signIn } = useNextActions();

  return <ActionCard title={translate('mfa.missing')} actions={[signIn]} text={translate('mfa.missingText')} />;
}
