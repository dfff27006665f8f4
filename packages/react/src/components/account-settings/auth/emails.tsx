import type { ContactChannel } from '@tessera/client';
import { Badge, Button } from '@tessera/ui';
import { useState } from 'react';
import { EmailField } from '../../../form/email-field.tsx';
import { emailProblem } from '../../../form/email-rule.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { Hint, Row, Rows, Section } from '../parts/parts.tsx';
import { type RowAction, RowMenu } from '../parts/row-menu.tsx';
import type { AuthSectionProps } from './methods.ts';
import { inOrder, isOnlySignInAddress } from './methods.ts';

/** The email addresses of the account. */
export function Emails({ user, channels }: Pick<AuthSectionProps, 'user' | 'channels'>) {
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

  const possible: readonly (RowAction & { readonly isPossible: boolean })[] = [
    {
      text: translate('emails.makePrimary'),
      act: () => act(() => channel.update({ isPrimary: true })),
      isPossible: isVerified && !isPrimary,
    },
    {
      text: translate('emails.use'),
      act: () => act(() => channel.update({ usedForAuth: true })),
      isPossible: isVerified && !usedForAuth,
    },
    {
      text: translate('emails.stop'),
      act: () => act(() => channel.update({ usedForAuth: false })),
      isPossible: usedForAuth && !isOnly,
    },
    {
      text: translate('action.remove'),
      act: async () => {
        await channel.delete();
        setNote('');
      },
      question: { title: translate('emails.removeTitle'), consequence: translate('emails.removeText', { email }) },
      isPossible: !isOnly,
    },
  ];

  return (
    <Row
      actions={
        <>
          {!isVerified && (
            <Button
              variant="secondary"
              // Every row has the same action.
              aria-label={`${translate('emails.verify')}: ${email}`}
              onClick={() => act(() => channel.sendVerificationEmail(), translate('emails.verifySent', { email }))}
            >
              {translate('emails.verify')}
            </Button>
          )}
          <RowMenu of={email} actions={possible.filter(({ isPossible }) => isPossible)} />
        </>
      }
    >
      <bdi className="tss:justify-self-start tss:font-medium tss:wrap-anywhere">{email}</bdi>
      <div className="tss:flex tss:flex-wrap tss:gap-2">
        {isPrimary && <Badge>{translate('emails.primary')}</Badge>}
        <Badge>{translate(isVerified ? 'emails.verified' : 'emails.unverified')}</Badge>
        {usedForAuth && <Badge>{translate('emails.signIn')}</Badge>}
      </div>
      {isOnly && <Hint>{translate('emails.onlyOne')}</Hint>}
      {failure}
    </Row>
  );
}

interface AddFormProps extends Pick<AuthSectionProps, 'user' | 'channels'> {
  setNote: (note: string) => void;
  close: () => void;
}

function AddForm({ user, channels, setNote, close }: AddFormProps) {
  const translate = useTranslate();
  // An address that this form has added can be sent again, for its email.
  const [listed] = useState(channels);

  const form = useGuardedForm({
    rules: { email: typed => emailProblem(typed) ?? (channelAt(typed, listed) && 'emails.listed') },
    submit: async values => {
      const email = values.email.trim();
      const channel =
        channelAt(email, channels) ??
        (await user.createContactChannel({ value: email, type: 'email', usedForAuth: false }));
      if (!channel.isVerified) {
        await channel.sendVerificationEmail();
        setNote(translate('emails.verifySent', { email }));
      }
      return undefined;
    },
    done: close,
  });

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('emails.add')} onCancel={channels.length > 0 ? close : undefined}>
        <EmailField {...form.field('email')} label={translate('emails.new')} autoComplete="email" />
      </FormFrame>
    </div>
  );
}

function channelAt(typed: string, channels: readonly ContactChannel[]): ContactChannel | undefined {
  return channels.find(({ value }) => value === typed.trim().toLowerCase());
}
