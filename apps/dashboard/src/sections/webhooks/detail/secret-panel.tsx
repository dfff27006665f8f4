import { useActionGuard } from '@tessera/react';
import { useState } from 'react';
import { toast } from 'sonner';
import { CopyField } from '../../../components/code/copy-field.tsx';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import type { Endpoint } from '../queries.ts';
import { words } from '../words.ts';

/** The signing secret of an endpoint. It is read on request, and is never cached. */
export function SecretPanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const { app } = useProject();
  const guard = useActionGuard();
  const [secret, setSecret] = useState<string>();
  const [isRotating, setRotating] = useState(false);
  const [isBusy, setBusy] = useState(false);

  async function show() {
    setBusy(true);
    try {
      setSecret(await guard(() => app.getWebhookSecret(endpoint.id)));
    } catch (error) {
      toast.error(problemWords(error));
    }
    setBusy(false);
  }

  async function rotate() {
    await app.rotateWebhookSecret(endpoint.id);
    toast.success(words.rotated);
    await show();
  }

  return (
    <Panel title={words.secret} description={words.secretHint}>
      {secret !== undefined && <CopyField label={words.secret} value={secret} copyLabel={words.copySecret} />}
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ChangeButton
          variant="secondary"
          size="sm"
          busy={isBusy}
          onClick={() => (secret === undefined ? show() : setSecret(undefined))}
        >
          {secret === undefined ? words.showSecret : words.hideSecret}
        </ChangeButton>
        <ChangeButton variant="secondary" size="sm" onClick={() => setRotating(true)}>
          {words.rotate}
        </ChangeButton>
      </div>
      {isRotating && (
        <ConfirmDialog
          title={words.rotateTitle}
          confirmLabel={words.rotate}
          onConfirm={rotate}
          onClose={() => setRotating(false)}
        >
          <p>{words.rotateText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
