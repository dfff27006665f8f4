import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge } from '@tessera/ui';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { SecretOnce } from '../../../components/code/secret-once.tsx';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type Team, type TeamKey, teamKeysQuery } from '../queries.ts';
import { words } from '../words.ts';
import { CreateKey } from './create-key.tsx';

/** The API keys of a team, in projects that offer them. */
export function KeysPanel({ team }: { readonly team: Team }) {
  const { config } = useProject();
  if (config.allowTeamApiKeys) return <OfferedKeys team={team} />;
  return (
    <Panel title={words.keys.title}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.keys.off}</p>
    </Panel>
  );
}

function OfferedKeys({ team }: { readonly team: Team }) {
  const options = teamKeysQuery(useProject(), team);
  const query = useQuery(options);
  const cache = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [revoking, setRevoking] = useState<TeamKey>();

  async function revoke(key: TeamKey) {
    await key.revoke();
    await cache.invalidateQueries({ queryKey: options.queryKey });
    toast.success(words.keys.revoked);
  }

  return (
    <Panel
      title={words.keys.title}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setCreating(true)}>
          <KeyRound aria-hidden size={16} />
          {words.keys.create}
        </ChangeButton>
      }
    >
      <PanelList query={query} itemKey={key => key.id} empty={words.keys.empty}>
        {key => <KeyRow teamKey={key} onRevoke={() => setRevoking(key)} />}
      </PanelList>
      {isCreating && (
        <CreateKey
          team={team}
          onCreated={value => {
            setCreating(false);
            setSecret(value);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {secret !== undefined && (
        <SecretOnce
          title={words.keys.made}
          secrets={[{ label: words.keys.key, value: secret, copyLabel: words.keys.copyKey }]}
          onStored={() => setSecret(undefined)}
        />
      )}
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

function KeyRow({ teamKey: key, onRevoke }: { readonly teamKey: TeamKey; readonly onRevoke: () => void }) {
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
