import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ActionFailure } from '../../components/form/form-failure.tsx';
import { Fact } from '../../components/page/facts.tsx';
import { useProject } from '../../data/owner.tsx';
import { emailsKey, type LogEntry } from './queries.ts';
import { NextAttempt } from './waiting/waiting-columns.tsx';
import { words as all } from './words.ts';

const words = all.again;

/** What follows after a failed attempt: the next one, a button, or the reason why the email is not sent again. */
export function SendAgain({ email }: { readonly email: LogEntry }) {
  const { resending, template } = email;
  // A test email is sent from the page of the mail server.
  if (template === null && resending === 'not_kept') return null;
  if (resending === 'possible') return <SendAgainButton email={email} />;
  if (resending === 'waiting') {
    return (
      <dl className="tss:text-sm">
        <Fact name={words.nextAttempt}>
          <NextAttempt at={email.nextAttemptAt} />
        </Fact>
      </dl>
    );
  }
  return (
    <dl className="tss:text-sm">
      <Fact name={words.title}>
        {words.state[resending]} {resending === 'has_code' && newCodeWords(template)}
      </Fact>
    </dl>
  );
}

function newCodeWords(template: string | null): string {
  const found = Object.entries(words.newCode).find(([name]) => name === template);
  return found?.[1] ?? words.userAsks;
}

function SendAgainButton({ email }: { readonly email: LogEntry }) {
  const project = useProject();
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function sendAgain() {
    setBusy(true);
    setFailure(undefined);
    try {
      await project.app.sendEmailAgain(email.id);
      toast.success(words.sent);
    } catch (error) {
      setFailure(error);
    }
    await cache.invalidateQueries({ queryKey: emailsKey(project) });
    setBusy(false);
  }

  return (
    <>
      <ActionFailure failure={failure} />
      <ChangeButton
        variant="secondary"
        className="tss:justify-self-start"
        busy={isBusy}
        onClick={() => void sendAgain()}
      >
        {words.send}
      </ChangeButton>
    </>
  );
}
