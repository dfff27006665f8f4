import { Card, CardContent, CardHeader, classNames, Skeleton } from '@tessera/ui';
import { passwordLengths } from '../../form/password-rule.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { AuthType } from './auth-state.ts';

interface AuthSkeletonProps {
  type: AuthType;
  noPasswordRepeat?: boolean | undefined;
}

/** The placeholder of the form while the project loads. It contains the texts of the form, so it has the same height. */
export function AuthSkeleton({ type, noPasswordRepeat = false }: AuthSkeletonProps) {
  const translate = useTranslate();
  const isSignUp = type === 'sign-up';
  const question = isSignUp
    ? `${translate('signUp.question')} ${translate('signUp.toSignIn')}`
    : `${translate('signIn.question')} ${translate('signIn.toSignUp')}`;

  return (
    <Card aria-busy aria-label={translate('auth.loading')}>
      <CardHeader aria-hidden>
        <Line className="tss:text-sm">{translate('signIn.title')}</Line>
        <Line className="tss:text-2xl tss:font-semibold tss:tracking-tight">
          {translate(isSignUp ? 'signUp.title' : 'signIn.title')}
        </Line>
        <Line className="tss:text-sm">{question}</Line>
      </CardHeader>
      <CardContent aria-hidden>
        <FieldSkeleton label={translate('field.email')} />
        {isSignUp ? <NewPasswordSkeleton /> : <PasswordSkeleton label={translate('field.password')} />}
        {isSignUp && !noPasswordRepeat && <PasswordSkeleton label={translate('field.passwordRepeat')} />}
        <Skeleton className="tss:h-11" />
      </CardContent>
    </Card>
  );
}

function NewPasswordSkeleton() {
  const translate = useTranslate();

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <PasswordSkeleton label={translate('field.password')} hint={translate('field.passwordHint', passwordLengths)} />
      <div className="tss:grid tss:gap-1.5">
        <Skeleton className="tss:h-1.5" />
        <Line className="tss:text-sm">{translate('strength.0')}</Line>
      </div>
    </div>
  );
}

function FieldSkeleton({ label }: { label: string }) {
  return (
    <div className="tss:grid tss:gap-1.5">
      <Line className="tss:text-sm tss:font-medium">{label}</Line>
      <Skeleton className="tss:h-11" />
    </div>
  );
}

function PasswordSkeleton({ label, hint }: { label: string; hint?: string }) {
  return (
    <div className="tss:grid tss:gap-1.5">
      <Line className="tss:text-sm tss:font-medium">{label}</Line>
      <div className="tss:grid tss:gap-1.5">
        <Skeleton className="tss:h-11" />
        {/* The place of the caps lock hint, which has no height until there is one. */}
        <div />
      </div>
      {hint && <Line className="tss:text-sm">{hint}</Line>}
    </div>
  );
}

/** A grey bar of the size of its text. */
function Line({ className, children }: { className: string; children: string }) {
  return (
    <div className={classNames('tss:grid tss:w-fit tss:max-w-full', className)}>
      <span className="tss:invisible tss:col-start-1 tss:row-start-1">{children}</span>
      <Skeleton className="tss:col-start-1 tss:row-start-1 tss:my-[0.3em]" />
    </div>
  );
}
