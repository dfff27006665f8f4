import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { suspensionQuery, type User, usersKey } from '../queries.ts';
import { words } from './words.ts';

/** Says that the user is suspended, since when and why, and ends the suspension. */
export function SuspendedNotice({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const { data: suspension } = useQuery(suspensionQuery(project, user));
  const [failure, setFailure] = useState<unknown>();
  if (!suspension) return null;

  async function end() {
    setFailure(undefined);
    try {
      await user.endSuspension();
    } catch (error) {
      setFailure(error);
      return;
    }
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    toast.success(words.ended);
  }

  return (
    <Panel title={words.notice}>
      <div className="tss:grid tss:gap-1 tss:text-sm">
        <p role="status" className="tss:wrap-anywhere">
          {words.since} <RelativeTime at={suspension.suspendedAt} />.{' '}
          {suspension.reason === null ? words.noReason : words.reasonWas(suspension.reason)}
        </p>
        <p className="tss:text-muted-foreground">{words.text}</p>
      </div>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ChangeButton variant="secondary" size="sm" className="tss:justify-self-start" onClick={end}>
        {words.end}
      </ChangeButton>
    </Panel>
  );
}
