import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type Endpoint, endpointsQuery } from '../queries.ts';
import { words } from '../words.ts';

/** Deletes an endpoint. */
export function DeletePanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);

  async function remove() {
    await project.app.deleteWebhookEndpoint(endpoint.id);
    await navigate({ to: '/projects/$projectId/webhooks', params: { projectId: project.id }, ignoreBlocker: true });
    // Only the list: the server answers 404 for the deliveries of the deleted endpoint.
    await cache.invalidateQueries({ queryKey: endpointsQuery(project).queryKey });
    toast.success(words.deleted);
  }

  return (
    <Panel title={words.delete} description={words.deleteText}>
      <ChangeButton variant="destructive" className="tss:justify-self-start" onClick={() => setConfirming(true)}>
        {words.delete}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.deleteTitle}
          confirmLabel={words.delete}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
