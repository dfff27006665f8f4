import { KnownErrors, RequestError } from '@tessera/client';
import { Button, Card, CardDescription, CardHeader, CardTitle, Check, Field, Input } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { openStorage } from '../../storage/browser-storage.ts';
import { useTranslate } from '../../words/translate.tsx';
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

/**
 * A key of the contract (docs/contract/client-runtime.md#other-sign-in-flows): a sign-in that waits for its second factor.
 */
const attempt = openStorage('session', 'stack_mfa_attempt_code');

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
  const [attemptCode] = useState(attempt.read);
  const [isVerified, setVerified] = useState(false);
  const [isOver, setOver] = useState(false);
  const [recovers, setRecovers] = useState(false);
  if (attemptCode === undefined) return <NoAttemptCard />;

  async function verify(given: GivenFactor): Promise<string | undefined> {
    const problem = await problemOf(given);
    if (problem !== undefined) {
      setOver(problem === 'mfa.failed');
      return translate(problem);
    }
    attempt.clear();
    setVerified(true);
    if (onSuccess) onSuccess();
    else await app.redirectToAfterSignIn({ replace: true });
    return undefined;
  }

  async function problemOf(given: GivenFactor) {
    try {
      const code = attemptCode ?? '';
      const result =
        'totp' in given
          ? await app.signInWithMfa(given.totp, code, { noRedirect: true })
          : await app.signInWithRecoveryCode(given.recoveryCode, code, { noRedirect: true });
      if (result.status === 'ok') return undefined;
      if (KnownErrors.InvalidTotpCode.isInstance(result.error)) return 'error.INVALID_TOTP_CODE';
      return KnownErrors.InvalidRecoveryCode.isInstance(result.error) ? 'error.INVALID_RECOVERY_CODE' : 'mfa.failed';
    } catch (error) {
      // The code may still be valid when the server is reachable again.
      if (error instanceof RequestError) throw error;
      return 'mfa.failed';
    }
  }

  return (
    <Card>
      <CardHeader>
        {fullPage && <CardTitle>{translate('mfa.title')}</CardTitle>}
        <CardDescription>{translate(recovers ? 'mfa.recoveryText' : 'mfa.text')}</CardDescription>
      </CardHeader>
      {isVerified && <Verified />}
      {!isVerified && !recovers && <CodeEntry kind="digits" submit={totp => verify({ totp })} />}
      {!isVerified && recovers && <RecoveryCodeForm submit={recoveryCode => verify({ recoveryCode })} />}
      {isOver && !isVerified && <PageLink to="signIn">{translate('mfa.again')}</PageLink>}
      {!isOver && !isVerified && (
        <div className="tss:flex tss:flex-wrap tss:justify-between tss:gap-x-6 tss:gap-y-1">
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

/** A second factor that the user has entered. */
type GivenFactor = { readonly totp: string } | { readonly recoveryCode: string };

function RecoveryCodeForm({ submit }: { submit: (recoveryCode: string) => Promise<string | undefined> }) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { recoveryCode: value => (value.trim() === '' ? 'invalid.codeMissing' : undefined) },
    submit: async ({ recoveryCode }) => {
      const message = await submit(recoveryCode);
      return message === undefined ? undefined : { field: 'recoveryCode', message };
    },
  });
  const { name, error } = form.field('recoveryCode');

  return (
    <FormFrame form={form} submitText={translate('action.signIn')}>
      <Field label={translate('recovery.field')} error={error}>
        <Input
          name={name}
          // The button that showed this field is gone, and the focus with it.
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          aria-required
          className="tss:font-mono"
        />
      </Field>
    </FormFrame>
  );
}

function Verified() {
  const translate = useTranslate();

  return (
    <p role="status" className="tss:flex tss:items-center tss:gap-2 tss:font-medium">
      <Check aria-hidden className="tss:size-5 tss:text-primary" />
      {translate('mfa.verified')}
    </p>
  );
}

/** The URL was opened directly or in another tab: there is no sign-in to complete. */
function NoAttemptCard() {
  const translate = useTranslate();
  const { goToSignIn } = useNextActions();

  return (
    <ActionCard
      title={translate('mfa.missing')}
      primaryButtonText={translate('action.signIn')}
      primaryAction={goToSignIn}
    >
      <p className="tss:text-pretty">{translate('mfa.missingText')}</p>
    </ActionCard>
  );
}
