import type { ContactChannel } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../../form/email-field.tsx';
import { emailProblem } from '../../../form/email-rule.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { ConfirmButton } from '../confirm-button.tsx';
import { Hint, Row, Rows, Section } from '../parts.tsx';
import type { AuthSectionProps } from './auth.tsx';
import { inOrder, isOnlySignInAddress } from './methods.ts';

/** The email addresses of the account. */
export function Emails({ user, channels }: AuthSectionProps) {
  const translate = useTranslate();
  const [isAdding, setAdding] = useState(channels.length === 0);
  const [note, setNote] = useState('');

  return (
    <Section title={translate('emails.title')}>
      <Rows label={translate('emails.title')}>
        {inOrder(channels.filter(({ type }) => type === 'email')).map(channel => (
          <EmailRow key={channel.id} channel={channel} channels={channels} setNote={setNote} />
        ))}
      </Rows>
      <p role="status" className="tss:text-sm tss:wrap-anywhere tss:empty:hidden">
        {note}
      </p>
      {isAdding ? (
        <AddForm user={user} channels={channels} setNote={setNote} close={() => setAdding(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setAdding(true)}>
          {translate('emails.add')}
        </Button>
      )}
    </Section>
  );
}

interface EmailRowProps {
  channel: ContactChannel;
  channels: readonly ContactChannel[];
  setNote: (note: string) => void;
}

function EmailRow({ channel, channels, setNote }: EmailRowProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const { value: email, isPrimary, isVerified, usedForAuth } = channel;
  const isOnly = isOnlySignInAddress(channel, channels);

  async function act(change: () => Promise<void>, note = '') {
    setNote('');
    if (await attempt(change)) setNote(note);
  }

  return (
    <Row
      isStacked
      actions={
        <>
          {!isVerified && (
            <RowButton
              onClick={() => act(() => channel.sendVerificationEmail(), translate('emails.verifySent', { email }))}
              text={translate('emails.verify')}
              email={email}
            />
          )}
          {!isPrimary && (
            <RowButton
              onClick={() => act(() => channel.update({ isPrimary: true }))}
              text={translate('emails.makePrimary')}
              email={email}
              disabledBecause={isVerified ? undefined : translate('emails.verifyFirst')}
            />
          )}
          {isVerified && !usedForAuth && (
            <RowButton
              onClick={() => act(() => channel.update({ usedForAuth: true }))}
              text={translate('emails.use')}
              email={email}
            />
          )}
          {usedForAuth && (
            <RowButton
              onClick={() => act(() => channel.update({ usedForAuth: false }))}
              text={translate('emails.stop')}
              email={email}
              disabledBecause={isOnly ? translate('emails.onlyOne') : undefined}
            />
          )}
          <ConfirmButton
            size="sm"
            variant="secondary"
            text={translate('action.remove')}
            aria-label={`${translate('action.remove')}: ${email}`}
            disabled={isOnly}
            title={isOnly ? translate('emails.onlyOne') : undefined}
            question={translate('emails.removeTitle')}
            consequence={translate('emails.removeText', { email })}
            act={() => channel.delete()}
          />
        </>
      }
    >
      <bdi className="tss:justify-self-start tss:font-medium tss:wrap-anywhere">{email}</bdi>
      <div className="tss:flex tss:flex-wrap tss:gap-2">
        {isPrimary && <Badge tone="primary">{translate('emails.primary')}</Badge>}
        {!isVerified && <Badge tone="destructive">{translate('emails.unverified')}</Badge>}
        {usedForAuth && <Badge>{translate('emails.signIn')}</Badge>}
      </div>
      {isOnly && <Hint>{translate('emails.onlyOne')}</Hint>}
      {failure}
    </Row>
  );
}

interface RowButtonProps {
  text: string;
  email: string;
  /** Why the action is not possible now. */
  disabledBecause?: string | undefined;
  onClick: () => Promise<void>;
}

/** The accessible name contains the address, because every row has the same actions. */
function RowButton({ text, email, disabledBecause, onClick }: RowButtonProps) {
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`${text}: ${email}`}
      disabled={disabledBecause !== undefined}
      title={disabledBecause}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}

interface AddFormProps extends AuthSectionProps {
  setNote: (note: string) => void;
  close: () => void;
}

function AddForm({ user, channels, setNote, close }: AddFormProps) {
  const translate = useTranslate();
  const isListed = (typed: string) => channels.some(({ value }) => value === typed.trim().toLowerCase());

  const form = useGuardedForm({
    rules: { email: typed => emailProblem(typed) ?? (isListed(typed) ? 'emails.listed' : undefined) },
    submit: async values => {
      const email = values.email.trim();
      const channel = await user.createContactChannel({ value: email, type: 'email', usedForAuth: false });
      if (!channel.isVerified) {
        await channel.sendVerificationEmail();
        setNote(translate('emails.verifySent', { email }));
      }
      close();
      return undefined;
    },
  });

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('emails.add')} onCancel={channels.length > 0 ? close : undefined}>
        <EmailField {...form.field('email')} label={translate('emails.new')} autoComplete="email" />
      </FormFrame>
    </div>
  );
}
