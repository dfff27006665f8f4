import { Button, Card, CardContent, CardHeader, classNames, Separator, Skeleton } from '@tessera/ui';
import { passwordLengths } from '../../form/password-rule.ts';
import type { AuthType } from '../../sign-in/auth-state.ts';
import { useTranslate } from '../../words/translate.tsx';
import { type OfferShape, useOfferShape } from './offer-shape.ts';

interface AuthSkeletonProps {
  type: AuthType;
  /** Given when loading takes long: the page shows a message with this action. */
  retry?: (() => Promise<void>) | undefined;
}

/** The placeholder of the form while the project loads. It contains the texts of the form, so it has the same height. */
export function AuthSkeleton({ type, retry }: AuthSkeletonProps) {
  const translate = useTranslate();
  const shape = useOfferShape(type);
  const isSignUp = type === 'sign-up';
  const question = isSignUp
    ? `${translate('signUp.question')} ${translate('signUp.toSignIn')}`
    : `${translate('signIn.question')} ${translate('action.signUp')}`;

  return (
    <>
      <Card aria-busy aria-label={translate('auth.loading')}>
        <CardHeader aria-hidden>
          <Line className="tss:text-sm">{translate('action.signIn')}</Line>
          <Line className="tss:text-2xl tss:font-semibold tss:tracking-tight">
            {translate(isSignUp ? 'signUp.title' : 'action.signIn')}
          </Line>
          <Line className="tss:text-sm">{question}</Line>
        </CardHeader>
        <CardContent aria-hidden>
          <ButtonsSkeleton rows={shape.rows} />
          <FormSkeleton shape={shape} isSignUp={isSignUp} />
        </CardContent>
      </Card>
      <div role="status" className="tss:grid tss:justify-items-center tss:gap-2 tss:text-sm tss:empty:hidden">
        {retry && (
          <>
            <p className="tss:text-center tss:text-muted-foreground">{translate('auth.late')}</p>
            <Button variant="secondary" onClick={retry}>
              {translate('action.retry')}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

function ButtonsSkeleton({ rows }: { rows: number }) {
  const translate = useTranslate();
  if (rows === 0) return null;
  return (
    <>
      <div className="tss:grid tss:gap-3">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <Skeleton key={row} className="tss:h-11" />
        ))}
      </div>
      <Separator>{translate('auth.or')}</Separator>
    </>
  );
}

function FormSkeleton({ shape: { hasTabs, hasPassword }, isSignUp }: { shape: OfferShape; isSignUp: boolean }) {
  const translate = useTranslate();
  const hint = isSignUp ? translate('field.passwordHint', passwordLengths) : undefined;
  return (
    <>
      {hasTabs && <Skeleton className="tss:h-13" />}
      <FieldSkeleton label={translate('field.email')} />
      {hasPassword && <PasswordSkeleton label={translate('field.password')} hint={hint} />}
      <Skeleton className="tss:h-11" />
    </>
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

function PasswordSkeleton({ label, hint }: { label: string; hint: string | undefined }) {
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
