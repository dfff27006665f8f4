import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormSummary } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { useListSearch } from '../back-to-users.tsx';
import { deletionQuery, suspensionQuery, type User, usersKey } from '../queries.ts';
import { userName } from '../user-name.ts';
import { words } from '../words.ts';
import { detailWords } from './detail-words.ts';

/** Deletes the user, after their name was typed. */
export function DeletePanel({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const search = useListSearch();
  const [isConfirming, setConfirming] = useState(false);

  async function remove() {
    await user.delete();
    await navigate({
      to: '/projects/$projectId/users',
      params: { projectId: project.id },
      search,
      ignoreBlocker: true,
    });
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    toast.success(words.deleted(1));
  }

  return (
    <Panel title={detailWords.danger} description={detailWords.deleteText}>
      <ScheduledDeletion user={user} />
      <ChangeButton
        variant="destructive"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setConfirming(true)}
      >
        {detailWords.delete}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle(1)}
          confirmLabel={detailWords.delete}
          typedText={userName(user)}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{detailWords.deleteText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** The user has deleted the account and can still keep it; so can the owner of the project. */
function ScheduledDeletion({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const query = deletionQuery(project, user.id);
  const { data: deletesAt } = useQuery(query);
  const { data: suspension } = useQuery(suspensionQuery(project, user));
  const [failure, setFailure] = useState<unknown>();
  if (!deletesAt) return null;

  async function keep() {
    setFailure(undefined);
    try {
      await project.app.cancelUserDeletion(user.id);
    } catch (error) {
      setFailure(error);
      return;
    }
    await cache.invalidateQueries({ queryKey: query.queryKey });
    toast.success(detailWords.deletion.kept);
  }

  return (
    <>
      <p role="status" className="tss:text-sm">
        {suspension ? (
          detailWords.deletion.waits
        ) : (
          <>
            {detailWords.deletion.text} <RelativeTime at={deletesAt} />.
          </>
        )}
      </p>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ChangeButton variant="secondary" size="sm" className="tss:justify-self-start" onClick={keep}>
        {detailWords.deletion.keep}
      </ChangeButton>
    </>
  );
}
