import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { activityQuery, signInBlocksQuery, type User } from '../queries.ts';
import { describeBlocks } from './describe-blocks.ts';
import { words } from './words.ts';

/** Says that sign-ins of the user are refused after failed attempts, and allows them again. */
export function BlockedNotice({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const query = signInBlocksQuery(project, user.id);
  const { data: blocks = [] } = useQuery(query);
  const [failure, setFailure] = useState<unknown>();
  const text = describeBlocks(blocks);
  if (text === undefined) return null;

  async function allow() {
    setFailure(undefined);
    try {
      await project.app.allowSignIn(user.id);
    } catch (error) {
      setFailure(error);
      return;
    }
    await cache.invalidateQueries({ queryKey: query.queryKey });
    await cache.invalidateQueries({ queryKey: activityQuery(project, user.id).queryKey });
    toast.success(words.allowed);
  }

  return (
    <Panel title={words.title}>
      <div className="tss:grid tss:gap-1 tss:text-sm">
        <p role="status">{text}</p>
        <p className="tss:text-muted-foreground">{words.hint}</p>
      </div>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ChangeButton variant="secondary" size="sm" className="tss:justify-self-start" onClick={allow}>
        {words.allow}
      </ChangeButton>
    </Panel>
  );
}
