import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { InternalApiKey, InternalApiKeyFirstView } from '@tessera/client';
import { Button } from '@tessera/ui';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { PanelList } from '../../components/page/panel-list.tsx';
import { useProject } from '../../data/owner.tsx';
import { CreateKeys } from './create-keys.tsx';
import { nameOfSet, purposeOf, successorOf } from './key-set.ts';
import { KeySetFacts } from './key-set-facts.tsx';
import { KeySetRow } from './key-set-row.tsx';
import { type NewKeys, ShowNewKeys } from './new-keys.tsx';
import { keySetsQuery } from './queries.ts';
import { apiKeysRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/api-keys')({ component: ApiKeys });

function ApiKeys() {
  const options = keySetsQuery(useProject());
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [fresh, setFresh] = useState<NewKeys>();

  function show(keys: InternalApiKeyFirstView, isRotation: boolean) {
    setFresh({ keys, isRotation });
    void cache.invalidateQueries({ queryKey: options.queryKey });
  }

  const create = (
    <ChangeButton onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {words.create}
    </ChangeButton>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={create} />
      {data?.length === 0 ? (
        <EmptyState title={words.empty} icon={<KeyRound aria-hidden />}>
          {words.emptyText}
        </EmptyState>
      ) : (
        <KeySets onRotated={keys => show(keys, true)} />
      )}
      {isCreating && <CreateKeys onCreated={keys => show(keys, false)} onClose={() => setCreating(false)} />}
      {fresh && <ShowNewKeys {...fresh} onStored={() => setFresh(undefined)} />}
    </>
  );
}

interface KeySetsProps {
  readonly onRotated: (keys: InternalApiKeyFirstView) => void;
}

const activeOnly = (sets: readonly InternalApiKey[]) => sets.filter(set => set.isValid());
const endedOnly = (sets: readonly InternalApiKey[]) => sets.filter(set => !set.isValid());

/** The active sets, and on request the others. */
function KeySets({ onRotated }: KeySetsProps) {
  const options = keySetsQuery(useProject());
  const active = useQuery({ ...options, select: activeOnly });
  const ended = useQuery({ ...options, select: endedOnly });
  const endedCount = ended.data?.length ?? 0;
  const { ended: showsEnded } = apiKeysRoute.useSearch();
  const navigate = apiKeysRoute.useNavigate();
  const [rotating, setRotating] = useState<InternalApiKey>();
  const [revoking, setRevoking] = useState<InternalApiKey>();

  const row = (set: InternalApiKey) => (
    <KeySetRow set={set} onRotate={() => setRotating(set)} onRevoke={() => setRevoking(set)} />
  );
  return (
    <>
      <Panel title={words.active}>
        <PanelList query={active} itemKey={set => set.id} empty={words.noActive}>
          {row}
        </PanelList>
      </Panel>
      {endedCount > 0 && (
        <Button
          variant="secondary"
          size="sm"
          className="tss:justify-self-start"
          aria-expanded={showsEnded === true}
          onClick={() => void navigate({ search: showsEnded ? {} : { ended: true }, replace: true })}
        >
          {showsEnded ? words.hideEnded : words.showEnded(endedCount)}
        </Button>
      )}
      {showsEnded && endedCount > 0 && (
        <Panel title={words.ended}>
          <PanelList query={ended} itemKey={set => set.id} empty={words.noEnded}>
            {row}
          </PanelList>
        </Panel>
      )}
      {rotating && <RotateKeys set={rotating} onRotated={onRotated} onClose={() => setRotating(undefined)} />}
      {revoking && <RevokeKeys set={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

interface RotateKeysProps extends KeySetsProps {
  readonly set: InternalApiKey;
  readonly onClose: () => void;
}

/** Creates the successor of a set. Both work until the owner revokes the old one. */
function RotateKeys({ set, onRotated, onClose }: RotateKeysProps) {
  const project = useProject();
  const form = useForm({
    initial: {},
    submit: async () => {
      onRotated(await project.app.createInternalApiKey(successorOf(set, Date.now())));
      onClose();
    },
  });
  return (
    <EditDialog title={words.rotateTitle} onClose={onClose}>
      <DialogForm form={form} label={words.rotateConfirm} onClose={onClose}>
        <div className="tss:grid tss:gap-1">
          <p className="tss:text-sm tss:font-medium tss:wrap-anywhere">{purposeOf(set)}</p>
          <KeySetFacts set={set} />
        </div>
        <p className="tss:text-sm tss:text-muted-foreground">{words.rotateText}</p>
      </DialogForm>
    </EditDialog>
  );
}

function RevokeKeys({ set, onClose }: { readonly set: InternalApiKey; readonly onClose: () => void }) {
  const project = useProject();
  const { queryKey } = keySetsQuery(project);
  const cache = useQueryClient();
  const purpose = purposeOf(set);
  const isInternal = project.id === 'internal';
  return (
    <ConfirmDialog
      title={words.revokeTitle(purpose)}
      confirmLabel={words.revoke}
      {...(isInternal ? { typedText: purpose } : {})}
      onConfirm={async () => {
        await set.revoke();
        await cache.invalidateQueries({ queryKey });
        toast.success(words.wasRevoked(nameOfSet(set)));
      }}
      onClose={onClose}
    >
      <KeySetFacts set={set} />
      <p>{words.revokeText}</p>
      {isInternal && <p>{words.revokeInternal}</p>}
    </ConfirmDialog>
  );
}
