import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiKeyList } from '../../../components/api-keys/api-key-list.tsx';
import { KeysOff } from '../../../components/api-keys/keys-off.tsx';
import { SecretOnce } from '../../../components/code/secret-once.tsx';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type Team, teamKeysQuery } from '../queries.ts';
import { words } from '../words.ts';
import { CreateKey } from './create-key.tsx';

/** The API keys of a team, in projects that offer them. */
export function KeysPanel({ team }: { readonly team: Team }) {
  const { config } = useProject();
  if (config.allowTeamApiKeys) return <OfferedKeys team={team} />;
  return (
    <Panel title={words.keys.title}>
      <KeysOff text={words.keys.off} />
    </Panel>
  );
}

function OfferedKeys({ team }: { readonly team: Team }) {
  const options = teamKeysQuery(useProject(), team);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();

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
      <ApiKeyList options={options} empty={words.keys.empty} />
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
    </Panel>
  );
}
