import { type ClientApp, RequestError } from '@tessera/client';
import { hasCode, isKnownError } from '@tessera/client/internals';
import { useState } from 'react';
import { FormFrame } from '../../form/form-frame.tsx';
import { NewPasswordField } from '../../form/new-password-field.tsx';
import { newPasswordProblem } from '../../form/password-rule.ts';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { useUserState } from '../../hooks/read-state.ts';
import { signInBy } from '../../sign-in/last-used.ts';
import { refusedPassword } from '../../sign-in/machine.ts';
import { resetAddress } from '../../sign-in/reset-address.ts';
import { useTranslate } from '../../words/translate.tsx';
import { ActionCard } from '../cards/action-card.tsx';
import { FormCard } from '../cards/form-card.tsx';
import { PasswordResetCard, useNextActions } from '../cards/predefined-cards.tsx';
import { PageSurface } from '../cards/surface.tsx';
import {
  CheckedCode,
  type CodePageProps,
  codeOf,
  DeadLinkCard,
  queryOf,
  useFocusedTitle,
} from '../codes/code-link.tsx';
import { outcomeOf } from '../codes/code-outcome.ts';

/** Props of `PasswordReset`. */
export type PasswordResetProps = CodePageProps;

/** The page of the link in a password reset email. */
export function PasswordReset({ fullPage, searchParams }: PasswordResetProps) {
  const app = useApp();
  const query = queryOf(searchParams);
  const code = codeOf(searchParams);

  return (
    <PageSurface fullPage={fullPage}>
      {code === undefined ? (
        <DeadLinkCard outcome="invalid" />
      ) : (
        <CheckedCode key={code} check={() => outcomeOf(app.verifyPasswordResetCode(code))}>
          {outcome => (outcome === 'ok' ? <ChooseNew code={code} query={query} /> : <DeadReset outcome={outcome} />)}
        </CheckedCode>
      )}
    </PageSurface>
  );
}

function DeadReset({ outcome }: { outcome: 'invalid' | 'expired' | 'used' }) {
  const { requestReset } = useNextActions();

  return <DeadLinkCard outcome={outcome} action={requestReset} />;
}

function ChooseNew({ code, query }: { code: string; query: URLSearchParams }) {
  const app = useApp();
  const translate = useTranslate();
  const address = resetAddress(app);
  const [email] = useState(() => address.read(query));
  const user = useUserState();
  const [end, setEnd] = useState<'done' | 'failed' | 'refused'>();
  const title = useFocusedTitle(end !== undefined);

  const form = useGuardedForm({
    rules: { password: newPasswordProblem },
    submit: async ({ password }) => {
      try {
        const result = await app.resetPassword({ code, password });
        if (result.status === 'ok' && email !== undefined) address.clear();
        const isSignedIn = result.status === 'ok' && (await signInAfterwards(app, email, password));
        if (isSignedIn) return undefined;
        // The reset has ended the session when it is one of the same account.
        await user.retry();
        setEnd(result.status === 'ok' ? 'done' : 'failed');
      } catch (error) {
        // Without a response the link may still be valid.
        if (error instanceof RequestError) throw error;
        // The server uses up the code before it checks the password.
        setEnd(hasCode(error, ...refusedPassword) ? 'refused' : 'failed');
      }
      return undefined;
    },
  });

  if (end === 'done') return <PasswordResetCard titleRef={title} isSignedIn={Boolean(user.value)} />;
  if (end !== undefined) return <FailedReset wasRefused={end === 'refused'} titleRef={title} />;
  return (
    <FormCard title={translate('passwordReset.title')}>
      <FormFrame opensPage form={form} submitText={translate('passwordReset.submit')}>
        {email !== undefined && (
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        )}
        <NewPasswordField {...form.field('password')} label={translate('field.passwordNew')} />
      </FormFrame>
    </FormCard>
  );
}

/**
 * Signs in with the new password when the address of the link is known: the response to a reset names no user.
 *
 * @returns false when the user has to sign in
 */
async function signInAfterwards(app: ClientApp, email: string | undefined, password: string): Promise<boolean> {
  if (email === undefined) return false;
  try {
    const result = await signInBy('password', () => app.signInWithCredential({ email, password }));
    return result.status === 'ok';
  } catch (error) {
    // The password is changed even if the sign-in fails.
    if (error instanceof RequestError || isKnownError(error)) return false;
    throw error;
  }
}

function FailedReset({ wasRefused, titleRef }: { wasRefused: boolean; titleRef: ReturnType<typeof useFocusedTitle> }) {
  const translate = useTranslate();
  const { home, requestReset } = useNextActions();

  return (
    <ActionCard
      title={translate('passwordReset.failed')}
      titleRef={titleRef}
      actions={[requestReset, home]}
      text={translate(wasRefused ? 'passwordReset.refused' : 'passwordReset.failedText')}
    />
  );
}
