import { Link } from '@tanstack/react-router';
import { Button, buttonClass, Dialog } from '@tessera/ui';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { Fact, Facts } from '../../components/page/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { StateBadge } from './columns.tsx';
import { type DeliveryFailure, deliveryFailure } from './delivery-failure.ts';
import type { LogEntry, SentEmail } from './queries.ts';
import { SendAgain } from './send-again.tsx';
import { words } from './words.ts';

/** One attempt to send an email, with the answer of the mail server and what to do about it. */
export function EmailDialog({ email, onClose }: { readonly email: LogEntry; readonly onClose: () => void }) {
  const failure = deliveryFailure(email.error);
  return (
    <Dialog title={email.subject} onClose={onClose}>
      <Facts>
        <Fact name={words.recipients}>{email.to.join(', ')}</Fact>
        <Fact name={words.sentAt}>
          <RelativeTime at={email.sentAt} />
        </Fact>
        <Fact name={words.state}>
          <StateBadge email={email} />
        </Fact>
        {failure ? <FailureFacts failure={failure} /> : <Fact name={words.whatHappened}>{words.acceptedText}</Fact>}
      </Facts>
      {failure?.answer && <CodeBlock title={words.serverAnswer} code={failure.answer} copyLabel={words.copyAnswer} />}
      {failure && <SendAgain email={email} />}
      <div className="tss:flex tss:flex-wrap tss:items-center tss:justify-end tss:gap-4">
        <Origin email={email} />
        <Button variant="secondary" onClick={onClose}>
          {common.action.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** Links to the user and to the message that the email belongs to. */
function Origin({ email }: { readonly email: SentEmail }) {
  const { id: projectId } = useProject();
  const { userId, messageId } = email;
  const look = buttonClass({ variant: 'link' }, 'tss:text-sm');
  return (
    <>
      {userId !== null && (
        <Link to="/projects/$projectId/users/$userId" params={{ projectId, userId }} className={look}>
          {words.openUser}
        </Link>
      )}
      {messageId !== null && (
        <Link to="/projects/$projectId/emails/messages/$messageId" params={{ projectId, messageId }} className={look}>
          {words.openMessage}
        </Link>
      )}
    </>
  );
}

function FailureFacts({ failure }: { readonly failure: DeliveryFailure }) {
  return (
    <>
      <Fact name={words.whatHappened}>
        {failure.message}
        <br />
        {failure.canRetry ? words.retried : words.notRetried}
      </Fact>
      <Fact name={words.whatToDo}>{words.advice[failure.type]}</Fact>
    </>
  );
}
