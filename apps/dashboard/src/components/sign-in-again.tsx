import { Button, Dialog, Field, PasswordInput } from '@tessera/ui';
import { useOwner } from '../data/owner.tsx';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';
import { FormFailure } from './form-failure.tsx';
import { useForm } from './use-form.ts';

interface SignInAgainProps {
  /** Called after the account was confirmed. */
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
}

/** Asks for the password of the signed-in owner before a sensitive change. */
export function SignInAgain({ onConfirmed, onClose }: SignInAgainProps) {
  const { app } = rootRoute.useRouteContext();
  const owner = useOwner();
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password === '' ? { password: words.form.required } : {}),
    submit: async ({ password }) => {
      const result = await app.signInWithCredential({ email: owner.primaryEmail ?? '', password, noRedirect: true });
      if (result.status === 'error') throw result.error;
      onConfirmed();
    },
  });

  if (!owner.hasPassword || owner.primaryEmail === null || owner.isMultiFactorRequired) {
    return (
      <Dialog title={words.again.title} onClose={onClose}>
        <p className="tss:text-sm">
          {owner.isMultiFactorRequired ? words.again.secondFactor : words.again.withoutPassword}
        </p>
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {words.action.cancel}
          </Button>
          <Button
            onClick={async () => {
              await owner.signOut({ redirectUrl: app.urls.signIn });
            }}
          >
            {words.again.signIn}
          </Button>
        </div>
      </Dialog>
    );
  }

  return (
    <Dialog title={words.again.title} onClose={onClose}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.again.text}</p>
      <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        <Field label={words.again.password} error={form.errors.password}>
          <PasswordInput
            showLabel={words.secret.reveal}
            hideLabel={words.secret.hide}
            autoComplete="current-password"
            value={form.values.password}
            onChange={event => form.set('password', event.target.value)}
          />
        </Field>
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {words.action.cancel}
          </Button>
          <Button type="submit" busy={form.isBusy}>
            {words.again.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
