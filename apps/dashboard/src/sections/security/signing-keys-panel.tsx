import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SigningKeyRotation } from '@tessera/client';
import { Button } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SignInAgain } from '../../components/sign-in-again.tsx';
import { useProject } from '../../data/owner.tsx';
import { lastRotationQuery } from './queries.ts';
import { words } from './words.ts';

/** The last rotation of the signing keys, and a button that rotates them after the owner confirmed the account. */
export function SigningKeysPanel() {
  const project = useProject();
  const cache = useQueryClient();
  const options = lastRotationQuery(project);
  const last = useQuery(options);
  const [step, setStep] = useState<'confirm-account' | 'confirm-rotation'>();
  const [rotation, setRotation] = useState<SigningKeyRotation>();
  const close = () => setStep(undefined);

  async function rotate() {
    setRotation(await project.app.rotateSigningKeys());
    toast.success(words.keys.rotated);
    await cache.invalidateQueries({ queryKey: options.queryKey });
  }

  return (
    <Panel title={words.keys.title} description={words.keys.description}>
      {last.isError ? (
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
      <Button
        variant="secondary"
        size="sm"
        className="tss:justify-self-start"
        onClick={() => setStep('confirm-account')}
      >
        {words.keys.rotate}
      </Button>
      {step === 'confirm-account' && <SignInAgain onConfirmed={() => setStep('confirm-rotation')} onClose={close} />}
      {step === 'confirm-rotation' && (
        <ConfirmDialog
          title={words.keys.rotateTitle}
          confirmLabel={words.keys.rotate}
          onConfirm={rotate}
          onClose={close}
        >
          <p>{words.keys.rotateText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
