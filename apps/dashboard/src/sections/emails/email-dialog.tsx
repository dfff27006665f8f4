import { Button, Dialog } from '@tessera/ui';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { words as common } from '../../words.ts';
import { StateBadge } from './columns.tsx';
import { type DeliveryFailure, deliveryFailure } from './delivery-failure.ts';
import type { SentEmail } from './queries.ts';
import { words } from './words.ts';

/** One attempt to send an email, with the answer of the mail server and what to do about it. */
export function EmailDialog({ email, onClose }: { readonly email: SentEmail; readonly onClose: () => void }) {
  const failure = deliveryFailure(email.error);
  return (
    <Dialog title={email.subject} onClose={onClose}>
      <dl className="tss:grid tss:gap-3 tss:text-sm">
        <Fact name={words.recipients}>{email.to.join(', ')}</Fact>
        <Fact name={words.sentAt}>
          <RelativeTime at={email.sentAt} />
        </Fact>
        <Fact name={words.state}>
          <StateBadge email={email} />
        </Fact>
        {failure ? <FailureFacts failure={failure} /> : <Fact name={words.whatHappened}>{words.acceptedText}</Fact>}
      </dl>
      {failure?.answer && <CodeBlock title={words.serverAnswer} code={failure.answer} copyLabel={words.copyAnswer} />}
      <Button variant="secondary" className="tss:justify-self-end" onClick={onClose}>
        {common.action.close}
      </Button>
    </Dialog>
  );
}

function FailureFacts({ failure }: { readonly failure: DeliveryFailure }) {
  return (
    <>
      <Fact name={words.whatHappened}>
        {failure.message} {failure.canRetry ? words.retried : words.notRetried}
      </Fact>
      <Fact name={words.whatToDo}>{words.advice[failure.type]}</Fact>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="tss:grid tss:gap-0.5">
      <dt className="tss:text-muted-foreground">{name}</dt>
      <dd className="tss:wrap-anywhere">{children}</dd>
    </div>
  );
}
