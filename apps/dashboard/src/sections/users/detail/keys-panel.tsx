import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type User, type UserKey, userKeysQuery } from '../queries.ts';
import { words } from '../words.ts';

/** The API keys of a user, in projects that offer them. */
export function KeysPanel({ user }: { readonly user: User }) {
  const { config } = useProject();
  if (config.allowUserApiKeys) return <OfferedKeys user={user} />;
  return (
    <Panel title={words.keys.title}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.keys.off}</p>
    </Panel>
  );
}

function OfferedKeys({ user }: { readonly user: User }) {
  const options = userKeysQuery(useProject(), user);
  const query = useQuery(options);
  const cache = useQueryClient();
  const [revoking, setRevoking] = useState<UserKey>();

  async function revoke(key: UserKey) {
    await key.revoke();
    await cache.invalidateQueries({ queryKey: options.queryKey });
    toast.success(words.keys.revoked);
  }

  return (
    <Panel title={words.keys.title}>
      <PanelList query={query} itemKey={key => key.id} empty={words.keys.empty}>
        {key => <KeyRow userKey={key} onRevoke={() => setRevoking(key)} />}
      </PanelList>
      {revoking && (
        <ConfirmDialog
          title={words.keys.revokeTitle(revoking.description)}
          confirmLabel={words.keys.revoke}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{words.keys.revokeText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function KeyRow({ userKey: key, onRevoke }: { readonly userKey: UserKey; readonly onRevoke: () => void }) {
  const reason = key.whyInvalid();
  return (
    <>
      <span className="tss:grid tss:min-w-0 tss:flex-1">
        <span className="tss:wrap-anywhere">{key.description}</span>
        <span className="tss:text-xs tss:text-muted-foreground">
          <code className="tss:font-mono">{words.keys.ending(key.value.lastFour)}</code> ·{' '}
          {key.expiresAt === undefined ? (
            words.keys.neverExpires
          ) : (
            <>
              {words.keys.expires} <RelativeTime at={key.expiresAt} />
            </>
          )}
        </span>
        {key.scopes !== null && (
          <span className="tss:mt-1 tss:flex tss:flex-wrap tss:gap-1">
            {key.scopes.map(scope => (
              <Badge key={scope}>{scope}</Badge>
            ))}
          </span>
        )}
      </span>
      {reason === null ? (
        <ChangeButton variant="quiet" size="sm" aria-label={words.keys.revokeNamed(key.description)} onClick={onRevoke}>
          {words.keys.revoke}
        </ChangeButton>
      ) : (
        <Badge>{words.keys.invalid[reason]}</Badge>
      )}
    </>
  );
}
