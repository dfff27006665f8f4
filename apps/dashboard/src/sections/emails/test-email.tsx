import { useQueryClient } from '@tanstack/react-query';
import { Field, FormSummary, isEmail } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { EmailInput } from '../../components/form/email-input.tsx';
import { ActionFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { useOwner, useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { emailsKey } from './queries.ts';
import { isComplete, ownServer, type ServerValues } from './server-form.ts';
import { words } from './words.ts';

/** Sends a test email through a server that may not be saved yet, and explains a failure. */
export function TestEmail({ server }: { readonly server: ServerValues }) {
  const project = useProject();
  const owner = useOwner();
  const cache = useQueryClient();
  const [result, setResult] = useState<{ readonly to: string; readonly problem: string | null }>();
  const form = useForm({
    initial: { to: owner.primaryEmail ?? '' },
    validate: ({ to }) => {
      if (!isEmail(to)) return { to: common.form.emailWrong };
      return isComplete(server) ? {} : { to: words.testNeedsServer };
    },
    submit: async ({ to }) => {
      setResult(undefined);
      const recipientEmail = to.trim();
      const sent = await project.app.sendTestEmail({ recipientEmail, emailConfig: ownServer(server) });
      setResult({ to: recipientEmail, problem: sent.status === 'ok' ? null : sent.error.errorMessage });
      await cache.invalidateQueries({ queryKey: emailsKey(project) });
    },
  });

  return (
    <form
      noValidate
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:border-t tss:border-border tss:pt-5"
      onSubmit={form.onSubmit}
    >
      <div className="tss:grid tss:gap-1">
        <h3 className="tss:text-sm tss:font-semibold">{words.test}</h3>
        <p className="tss:text-sm tss:text-muted-foreground">{words.testHint}</p>
      </div>
      <ActionFailure failure={form.failure} />
      {result && result.problem !== null && <FormSummary title={words.testFailed}>{result.problem}</FormSummary>}
      <Field label={words.testRecipient} error={form.errors.to}>
        <EmailInput value={form.values.to} onChange={event => form.set('to', event.target.value)} />
      </Field>
      <ChangeButton type="submit" variant="secondary" className="tss:justify-self-start" busy={form.isBusy}>
        {words.sendTest}
      </ChangeButton>
      <p role="status" className="tss:text-sm">
        {result?.problem === null && words.testWorked(result.to)}
      </p>
    </form>
  );
}
