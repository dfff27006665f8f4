import { ApiKeyList } from '../../../components/api-keys/api-key-list.tsx';
import { KeysOff } from '../../../components/api-keys/keys-off.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { type User, userKeysQuery } from '../queries.ts';
import { detailWords } from './detail-words.ts';

/** The API keys of a user, in projects that offer them. */
export function KeysPanel({ user }: { readonly user: User }) {
  const project = useProject();
  return (
    <Panel title={detailWords.keys.title}>
      {project.config.allowUserApiKeys ? (
        <ApiKeyList options={userKeysQuery(project, user)} empty={detailWords.keys.empty} />
      ) : (
        <KeysOff text={detailWords.keys.off} />
      )}
    </Panel>
  );
}
