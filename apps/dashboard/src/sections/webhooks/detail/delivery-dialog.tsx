import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Dialog } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { CopyField } from '../../../components/code/copy-field.tsx';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { words as common } from '../../../words.ts';
import { connectionProblem } from '../connection-problem.ts';
import { attemptsQuery, type Delivery, type Endpoint, webhooksKey } from '../queries.ts';
import { words } from '../words.ts';
import { DeliveryBadge } from './delivery-columns.tsx';

interface DeliveryDialogProps {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** The request of a message, and the answer of each attempt. */
export function DeliveryDialog({ endpoint, delivery, onClose }: DeliveryDialogProps) {
  const project = useProject();
  const cache = useQueryClient();
  const attempts = useQuery(attemptsQuery(project, endpoint.id, delivery.id));
  const [isBusy, setBusy] = useState(false);

  async function resend() {
    setBusy(true);
    try {
      await project.app.resendWebhook(delivery.id, endpoint.id);
      toast.success(words.resent);
      await cache.invalidateQueries({ queryKey: webhooksKey(project) });
      onClose();
    } catch (error) {
      toast.error(problemWords(error));
      setBusy(false);
    }
  }

  return (
    <Dialog title={delivery.eventType} onClose={onClose}>
      <CopyField label={words.messageId} value={delivery.id} copyLabel={words.copyMessageId} />
      <CodeBlock title={words.request} code={JSON.stringify(delivery.payload, null, 2)} copyLabel={words.copyRequest} />
      <h3 className="tss:text-sm tss:font-medium">{words.attempts}</h3>
      <PanelList query={attempts} itemKey={attempt => attempt.id} empty={words.noAttempts}>
        {attempt => (
          <div className="tss:grid tss:w-full tss:gap-1">
            <span className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
              <DeliveryBadge state={attempt.status} />
              <span className="tss:font-mono tss:text-xs">{attempt.responseStatusCode || words.noResponse}</span>
              <span className="tss:text-xs tss:text-muted-foreground">
                {words.duration(attempt.responseDurationMs)} · <RelativeTime at={attempt.timestamp} />
                {attempt.isManual && ` · ${words.manual}`}
              </span>
            </span>
            <ConnectionProblem attempt={attempt} />
            <code className="tss:block tss:max-h-32 tss:overflow-hidden tss:font-mono tss:text-xs tss:whitespace-pre-wrap tss:wrap-anywhere">
              {attempt.response || words.emptyResponse}
            </code>
          </div>
        )}
      </PanelList>
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        <Button variant="secondary" onClick={onClose}>
          {common.action.close}
        </Button>
        <ChangeButton busy={isBusy} onClick={() => void resend()}>
          {words.resend}
        </ChangeButton>
      </div>
    </Dialog>
  );
}

function ConnectionProblem({ attempt }: { readonly attempt: Parameters<typeof connectionProblem>[0] }) {
  const problem = connectionProblem(attempt);
  return problem === undefined ? null : <p className="tss:text-sm">{problem}</p>;
}
