import { hasCode } from '@tessera/client/internals';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { FormFrame } from '../../../form/form-frame.tsx';
import { NewPasswordField } from '../../../form/new-password-field.tsx';
import { PasswordField } from '../../../form/password-field.tsx';
import { newPasswordProblem, passwordProblem, repeatRule } from '../../../form/password-rule.ts';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { errorWords } from '../../../words/error-words.ts';
import { useTranslate } from '../../../words/translate.tsx';
import type { WordKey } from '../../../words/words.ts';
import { Hint, Section } from '../parts/parts.tsx';
import type { AuthSectionProps } from './methods.ts';
import { signInAddress } from './methods.ts';

/** Sets and changes the password. */
export function PasswordSection({ user, channels }: AuthSectionProps) {
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const [saved, setSaved] = useState<WordKey>();
  const address = signInAddress(channels)?.value;

  return (
    <Section
      title={translate('field.password')}
      text={translate(user.hasPassword ? 'password.isSet' : 'password.notSet')}
    >
      {address === undefined && <Hint>{translate('access.needsEmail')}</Hint>}
      {address !== undefined && !isOpen && (
        <Button
          variant="secondary"
          onClick={() => {
            setSaved(undefined);
            setOpen(true);
          }}
        >
          {translate(user.hasPassword ? 'password.update' : 'password.set')}
        </Button>
      )}
      {address !== undefined && isOpen && (
        <PasswordForm user={user} address={address} saved={setSaved} close={() => setOpen(false)} />
      )}
      <p role="status" className="tss:text-sm tss:empty:hidden">
        {saved && translate(saved)}
      </p>
    </Section>
  );
}

interface PasswordFormProps extends Pick<AuthSectionProps, 'user'> {
  address: string;
  saved: (outcome: WordKey) => void;
  close: () => void;
}

function PasswordForm({ user, address, saved, close }: PasswordFormProps) {
  const translate = useTranslate();
  // The user has a password as soon as it is set, while the form is still shown.
  const [hadPassword] = useState(user.hasPassword);

  const form = useGuardedForm({
    rules: {
      old: hadPassword ? passwordProblem : () => undefined,
      password: newPasswordProblem,
      repeat: repeatRule,
    },
    clearedBy: { password: ['repeat'], repeat: ['password'] },
    submit: async ({ old, password }) => {
      const error = hadPassword
        ? await user.updatePassword({ oldPassword: old, newPassword: password })
        : await user.setPassword({ password });
      if (error) {
        const isOld = hasCode(error, 'PASSWORD_CONFIRMATION_MISMATCH');
        return { field: isOld ? 'old' : 'password', message: errorWords(error, translate) };
      }
      saved(hadPassword ? 'activity.factor.password_changed' : 'activity.factor.password_set');
      return undefined;
    },
    done: close,
  });

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate(hadPassword ? 'password.update' : 'password.set')} onCancel={close}>
        {/* So that password managers know whose password it is. */}
        <input
          type="text"
          autoComplete="username"
          aria-label={translate('field.email')}
          value={address}
          readOnly
          hidden
          className="tss:hidden"
        />
        {hadPassword && (
          <PasswordField {...form.field('old')} label={translate('password.old')} autoComplete="current-password" />
        )}
        <NewPasswordField
          {...form.field('password')}
          label={translate('field.passwordNew')}
          knownWords={() => [address]}
        />
        <PasswordField
          {...form.field('repeat')}
          label={translate('field.passwordRepeat')}
          autoComplete="new-password"
        />
        {hadPassword && <Hint>{translate('password.othersEnd')}</Hint>}
      </FormFrame>
    </div>
  );
}
