import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { suspensionQuery, type User, usersKey } from '../queries.ts';
import { ReasonField } from './reason-field.tsx';
import { words } from './words.ts';

/** Suspends the user; not shown for a suspended one. */
export function SuspendPanel({ user }: { readonly user: User }) {
  const project = useProject();
  const cache = useQueryClient();
  const { data: suspension } = useQuery(suspensionQuery(project, user));
  const [isConfirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');
  if (suspension !== null) return null;

  async function suspend() {
    await user.suspend({ reason });
    await cache.invalidateQueries({ queryKey: usersKey(project) });
    setReason('');
    toast.success(words.done(1));
  }

  return (
    <Panel title={words.title} description={words.text}>
      <ChangeButton
        variant="destructive"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setConfirming(true)}
      >
        {words.suspend}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.question(1)}
          confirmLabel={words.suspend}
          onConfirm={suspend}
          onClose={() => setConfirming(false)}
        >
          <p>{words.text}</p>
          <ReasonField value={reason} onChange={setReason} />
        </ConfirmDialog>
      )}
    </Panel>
  );
}
