import { KnownErrors, RequestError } from '@tessera/client';
import { Button, Card, CardDescription, CardHeader, CardTitle, Check } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
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
  if (attemptCode === undefined) return <NoAttemptCard />;

  async function verify(totp: string): Promise<string | undefined> {
    const problem = await problemOf(totp);
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

  async function problemOf(totp: string) {
    try {
      const result = await app.signInWithMfa(totp, attemptCode ?? '', { noRedirect: true });
      if (result.status === 'ok') return undefined;
      return KnownErrors.InvalidTotpCode.isInstance(result.error) ? 'error.INVALID_TOTP_CODE' : 'mfa.failed';
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
        <CardDescription>{translate('mfa.text')}</CardDescription>
      </CardHeader>
      {isVerified ? <Verified /> : <CodeEntry kind="digits" submit={verify} />}
      {isOver && !isVerified && <PageLink to="signIn">{translate('mfa.again')}</PageLink>}
      {onCancel && !isVerified && (
        <Button variant="ghost" onClick={onCancel}>
          {translate('action.cancel')}
        </Button>
      )}
    </Card>
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
