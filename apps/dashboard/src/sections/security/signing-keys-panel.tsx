import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SigningKeyRotation } from '@tessera/client';
import { useState } from 'react';
import { toast } from 'sonner';
import { CopyField } from '../../components/code/copy-field.tsx';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useProject } from '../../data/owner.tsx';
import { lastRotationQuery } from './queries.ts';
import { words } from './words.ts';

/** The last rotation of the signing keys, and a button that rotates them. The server asks for a recent sign-in. */
export function SigningKeysPanel() {
  const project = useProject();
  const cache = useQueryClient();
  const options = lastRotationQuery(project);
  const last = useQuery(options);
  const [isConfirming, setConfirming] = useState(false);
  const [rotation, setRotation] = useState<SigningKeyRotation>();

  async function rotate() {
    setRotation(await project.app.rotateSigningKeys());
    toast.success(words.keys.rotated);
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  return (
    <Panel title={words.keys.title} description={words.keys.description}>
      {last.isLoadingError ? (
        <Problem error={last.error} retry={last.refetch} />
      ) : (
        <p className="tss:text-sm">
          <span className="tss:text-muted-foreground">{words.keys.last}</span>{' '}
          {last.data !== undefined && <RelativeTime at={last.data?.at ?? null} />}
        </p>
      )}
      {rotation !== undefined && (
        <CopyField label={words.keys.current} value={rotation.currentKeyId} copyLabel={words.keys.copy} />
      )}
      <ChangeButton
        variant="secondary"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setConfirming(true)}
      >
        {words.keys.rotate}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.keys.rotateTitle}
          confirmLabel={words.keys.rotate}
          onConfirm={rotate}
          onClose={() => setConfirming(false)}
        >
          <p>{words.keys.rotateText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
