import { isKnown, KnownErrors } from '@tessera/client';
import { Button, CardDescription } from '@tessera/ui';
import { useState } from 'react';
import { CodeEntry } from '../../form/code-entry.tsx';
import { emailDraft } from '../../form/email-draft.ts';
import { EmailField } from '../../form/email-field.tsx';
import { emailProblem } from '../../form/email-rule.ts';
import { FormFrame } from '../../form/form-frame.tsx';
import { useGuardedForm } from '../../form/use-guarded-form.ts';
import { useApp } from '../../hooks/hooks.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { AuthFormProps } from '../auth-page/credential-sign-in.tsx';
import { rememberMethod } from '../auth-page/last-used.ts';
import { PartSurface } from '../cards/surface.tsx';
import { type MailedCode, mailedCode } from './mailed-code.ts';
import { ResendButton } from './resend-button.tsx';

/** The form that signs in, or up, with an emailed code or link. */
export function MagicLinkSignIn() {
  return (
    <PartSurface>
      <MagicLinkForm />
    </PartSurface>
  );
}

export function MagicLinkForm(props: AuthFormProps) {
  const app = useApp();
  const [kept] = useState(() => mailedCode(app.projectId));
  const [sent, setSent] = useState(kept.read);

  async function send(email: string) {
    const result = await app.sendMagicLinkEmail(email);
    if (result.status === 'error') return result.error;
    const next = { email, nonce: result.data.nonce, sentAtMillis: Date.now() };
    kept.write(next);
    setSent(next);
    return undefined;
  }

  function forget() {
    kept.clear();
    setSent(undefined);
  }

  return sent === undefined ? (
    <AddressForm {...props} send={send} />
  ) : (
    <MailedCodeForm {...props} sent={sent} send={send} forget={forget} />
  );
}

type Send = (email: string) => Promise<unknown>;

function AddressForm({ send, onSubmitting, offersPasskeys = false }: AuthFormProps & { send: Send }) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem },
    onSubmitting,
    submit: async ({ email }) => {
      rememberMethod('magic-link');
      try {
        const refusal = await send(email.trim());
        return refusal === undefined ? undefined : { field: 'email', message: errorWords(refusal, translate) };
      } catch (error) {
        // Both problems are about the typed address.
        if (!isKnown(error, 'SIGN_UP_NOT_ENABLED') && !isKnown(error, 'USER_EMAIL_ALREADY_EXISTS')) throw error;
        const isTaken = isKnown(error, 'USER_EMAIL_ALREADY_EXISTS');
        return { field: 'email', message: isTaken ? translate('magicLink.unverified') : errorWords(error, translate) };
      }
    },
  });

  return (
    <FormFrame form={form} submitText={translate('magicLink.submit')}>
      <EmailField
        {...form.field('email')}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
    </FormFrame>
  );
}

interface MailedCodeFormProps extends AuthFormProps {
  sent: MailedCode;
  send: Send;
  forget: () => void;
}

function MailedCodeForm({ sent, send, forget, onSubmitting }: MailedCodeFormProps) {
  const app = useApp();
  const translate = useTranslate();

  async function signIn(code: string): Promise<string | undefined> {
    const kept = mailedCode(app.projectId);
    // Before the request: after sign-in the client redirects, and no code runs after that.
    kept.clear();
    try {
      const result = await app.signInWithMagicLink(code + sent.nonce);
      if (result.status === 'ok') return undefined;
      kept.write(sent);
      return refusalWords(result.error);
    } catch (error) {
      kept.write(sent);
      throw error;
    }
  }

  function refusalWords(error: unknown): string {
    return translate(KnownErrors.InvalidTotpCode.isInstance(error) ? 'error.INVALID_TOTP_CODE' : 'code.invalid');
  }

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
      <CardDescription>
        {translate('magicLink.sent')} <strong className="tss:font-medium tss:wrap-anywhere">{sent.email}</strong>
      </CardDescription>
      <CodeEntry
        // A new email has a new code.
        key={sent.nonce}
        kind="letters"
        description={translate('magicLink.hint')}
        submit={signIn}
        onSubmitting={onSubmitting}
      />
      <div className="tss:flex tss:flex-wrap tss:justify-between tss:gap-3">
        <ResendButton sentAtMillis={sent.sentAtMillis} resend={() => send(sent.email)} />
        <Button variant="ghost" onClick={forget}>
          {translate('magicLink.otherAddress')}
        </Button>
      </div>
    </div>
  );
}
