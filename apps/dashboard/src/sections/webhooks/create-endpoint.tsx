import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Button, Dialog } from '@tessera/ui';
import { useState } from 'react';
import { CopyField } from '../../components/code/copy-field.tsx';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { endpointErrors, endpointOptions, newEndpoint } from './endpoint-form.ts';
import { webhooksKey } from './queries.ts';
import { words } from './words.ts';

/** Creates an endpoint, shows its secret, and opens its page. */
export function CreateEndpoint({ onClose }: { readonly onClose: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  const form = useForm({
    initial: newEndpoint,
    validate: endpointErrors,
    submit: async values => {
      const { id } = await project.app.createWebhookEndpoint(endpointOptions(values));
      await cache.invalidateQueries({ queryKey: webhooksKey(project) });
      // Its page shows the secret too. A form that failed would create a second endpoint.
      const secret = await project.app.getWebhookSecret(id).catch(() => undefined);
      if (secret === undefined) openPage(id);
      else setCreated({ id, secret });
    },
  });

  function openPage(endpointId: string) {
    onClose();
    void navigate({
      to: '/projects/$projectId/webhooks/$endpointId',
      params: { projectId: project.id, endpointId },
      // The form is done.
      ignoreBlocker: true,
    });
  }

  if (created !== undefined) return <SecretDialog secret={created.secret} onDone={() => openPage(created.id)} />;
  return (
    <EditDialog title={words.create} onClose={onClose}>
      <DialogForm form={form} label={words.create} onClose={onClose}>
        <EndpointFields form={form} />
      </DialogForm>
    </EditDialog>
  );
}

/** The secret can be read again on the page of the endpoint, so nothing says that it is shown only once. */
function SecretDialog({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <Dialog title={words.secretTitle} onClose={onDone}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.secretHint}</p>
      <CopyField label={words.secret} value={secret} copyLabel={words.copySecret} />
      <Button onClick={onDone}>{common.action.done}</Button>
    </Dialog>
  );
}
