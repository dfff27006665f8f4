import { isKnown, KnownErrors } from '@tessera/client';
import { Card, CardContent, CardHeader, CardTitle } from '@tessera/ui';
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
import { signInBy } from '../auth-page/last-used.ts';
import { PartSurface } from '../cards/surface.tsx';
import { type MailedCode, mailedCode } from './mailed-code.ts';
import { ResendButton } from './resend-button.tsx';
import { SentTo } from './sent-to.tsx';
import { type MailedCodeSignIn, useMailedCode } from './use-mailed-code.ts';

/** The form that signs in, or up, with an emailed code or link. */
export function MagicLinkSignIn() {
  return (
    <PartSurface>
      <MagicLinkSteps />
    </PartSurface>
  );
}

function MagicLinkSteps() {
  const translate = useTranslate();
  const code = useMailedCode();
  return code.sent === undefined ? (
    <MagicLinkForm send={code.send} />
  ) : (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-5">
      <SentTo text={translate('magicLink.sent')} email={code.sent.email} change={code.leave} />
      <MailedCodeForm sent={code.sent} send={code.send} />
    </div>
  );
}

/** Replaces the sign-in page until the code is entered. */
export function MailedCodeCard({ sent, send, leave, onSubmitting }: MailedCodeCardProps) {
  const translate = useTranslate();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{translate('emailSent.title')}</CardTitle>
        <SentTo text={translate('magicLink.sent')} email={sent.email} change={leave} />
      </CardHeader>
      <CardContent>
        <MailedCodeForm sent={sent} send={send} onSubmitting={onSubmitting} />
      </CardContent>
    </Card>
  );
}

interface MailedCodeCardProps extends Pick<MailedCodeSignIn, 'send' | 'leave'>, Pick<AuthFormProps, 'onSubmitting'> {
  sent: MailedCode;
}

export function MagicLinkForm({ send, onSubmitting, offersPasskeys = false }: MagicLinkFormProps) {
  const app = useApp();
  const translate = useTranslate();
  const [draft] = useState(() => emailDraft(app.projectId));

  const form = useGuardedForm({
    rules: { email: emailProblem },
    onSubmitting,
    submit: async ({ email }) => {
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
    <FormFrame opensPage form={form} submitText={translate('magicLink.submit')}>
      <EmailField
        {...form.field('email')}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        defaultValue={draft.read() ?? ''}
        onChange={event => draft.write(event.target.value)}
      />
    </FormFrame>
  );
}

interface MagicLinkFormProps extends AuthFormProps, Pick<MailedCodeSignIn, 'send'> {}

type MailedCodeFormProps = Omit<MailedCodeCardProps, 'leave'>;

function MailedCodeForm({ sent, send, onSubmitting }: MailedCodeFormProps) {
  const app = useApp();
  const translate = useTranslate();

  async function signIn(code: string): Promise<string | undefined> {
    const kept = mailedCode(app.projectId);
    // Before the request: after sign-in the client redirects, and no code runs after that.
    kept.clear();
    try {
      const result = await signInBy('magic-link', () => app.signInWithMagicLink(code + sent.nonce));
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
    <>
      <CodeEntry
        // A new email has a new code.
        key={sent.nonce}
        kind="letters"
        description={translate('magicLink.hint')}
        submit={signIn}
        onSubmitting={onSubmitting}
      />
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ResendButton sentAtMillis={sent.sentAtMillis} resend={() => send(sent.email)} />
      </div>
    </>
  );
}
