import type { CurrentUser, ReauthenticationMethod } from '@tessera/client';
import { isKnownError } from '@tessera/client/internals';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { CodeField, RecoveryCodeField } from '../../form/code-field.tsx';
import { codeProblem } from '../../form/code-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { PasswordField } from '../../form/password-field.tsx';
import { passwordProblem } from '../../form/password-rule.ts';
import { type FormField, type FormValues, useGuardedForm } from '../../form/use-guarded-form.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { ResendButton } from '../codes/resend-button.tsx';

interface ProofFormProps {
  user: CurrentUser;
  method: ReauthenticationMethod;
  done: () => void;
  cancel: () => void;
}

type FieldName = 'password' | 'code' | 'totp' | 'recoveryCode';

/** The field that a refused proof is about. */
const refusedField: Readonly<Record<string, FieldName>> = {
  PASSWORD_CONFIRMATION_MISMATCH: 'password',
  VERIFICATION_CODE_NOT_FOUND: 'code',
  VERIFICATION_CODE_EXPIRED: 'code',
  VERIFICATION_CODE_ALREADY_USED: 'code',
  VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'code',
  INVALID_TOTP_CODE: 'totp',
  INVALID_RECOVERY_CODE: 'recoveryCode',
};

/** The form of one way to confirm the identity. An emailed code takes two steps. */
export function ProofForm({ user, method: { method, needsTotp }, done, cancel }: ProofFormProps) {
  const translate = useTranslate();
  const [sent, setSent] = useState<{ nonce: string; atMillis: number }>();
  // A passkey that did not verify its user needs the second factor, which only the server knows.
  const [asksForFactor, setAsksForFactor] = useState(needsTotp);
  const [recovers, setRecovers] = useState(false);
  const isSending = method === 'code' && sent === undefined;
  const factor = asksForFactor && !isSending ? (recovers ? 'recoveryCode' : 'totp') : undefined;

  const form = useGuardedForm<FieldName>({
    rules: {
      password: method === 'password' ? passwordProblem : () => undefined,
      code: method === 'code' && !isSending ? codeProblem : () => undefined,
      totp: factor === 'totp' ? codeProblem : () => undefined,
      recoveryCode: factor === 'recoveryCode' ? codeProblem : () => undefined,
    },
    submit: async values => {
      if (isSending) {
        await sendCode();
        return undefined;
      }
      const result = await user.reauthenticate({ ...proofOf(values), ...secondFactorOf(values) });
      if (result.status === 'ok') {
        done();
        return undefined;
      }
      const field = isKnownError(result.error) ? refusedField[result.error.errorCode] : undefined;
      if (field === undefined) throw result.error;
      if (field === 'totp') setAsksForFactor(true);
      return { field, message: errorWords(result.error, translate) };
    },
  });

  async function sendCode() {
    setSent({ nonce: await user.sendReauthenticationCode(), atMillis: Date.now() });
  }

  function proofOf({ password, code }: FormValues<FieldName>) {
    if (method === 'password') return { password };
    if (method === 'code') return { code: `${code.replaceAll(/[\s-]/g, '')}${sent?.nonce ?? ''}` };
    return { passkey: true } as const;
  }

  function secondFactorOf({ totp, recoveryCode }: FormValues<FieldName>) {
    if (factor === 'recoveryCode') return { recoveryCode };
    return factor === 'totp' ? { totp: totp.trim() } : {};
  }

  return (
    <FormFrame
      form={form}
      submitText={translate(submitKey(method, isSending))}
      step={`${isSending} ${asksForFactor}`}
      onCancel={cancel}
    >
      {method === 'password' && <PasswordProof user={user} field={form.field('password')} />}
      {method === 'code' && sent && (
        <>
          <CodeField
            // A new email has a new code.
            key={sent.nonce}
            {...form.field('code')}
            label={translate('code.label')}
            description={translate('reauth.codeSent', { email: user.primaryEmail ?? '' })}
          />
          <div className="tss:flex tss:flex-wrap">
            <ResendButton sentAtMillis={sent.atMillis} resend={sendCode} />
          </div>
        </>
      )}
      {factor === 'totp' && <CodeField {...form.field('totp')} label={translate('reauth.totp')} inputMode="numeric" />}
      {factor === 'recoveryCode' && <RecoveryCodeField {...form.field('recoveryCode')} />}
      {factor && (
        <Button variant="link" className="tss:justify-self-start" onClick={() => setRecovers(!recovers)}>
          {translate(recovers ? 'mfa.useApp' : 'mfa.recovery')}
        </Button>
      )}
    </FormFrame>
  );
}

function PasswordProof({ user, field }: { user: CurrentUser; field: FormField }) {
  const translate = useTranslate();

  return (
    <>
      {/* So that password managers know whose password it is. */}
      <input
        type="text"
        autoComplete="username"
        aria-label={translate('field.email')}
        value={user.primaryEmail ?? ''}
        readOnly
        hidden
        className="tss:hidden"
      />
      <PasswordField {...field} label={translate('field.password')} autoComplete="current-password" />
    </>
  );
}

function submitKey(method: ReauthenticationMethod['method'], isSending: boolean): WordKey {
  if (method === 'passkey') return 'reauth.passkey';
  return isSending ? 'magicLink.submit' : 'reauth.submit';
}
