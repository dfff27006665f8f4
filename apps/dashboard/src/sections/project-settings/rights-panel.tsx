import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateConfig } from '../../data/update-project.ts';
import { words } from './words.ts';

/** What every user of the project may do. */
export function RightsPanel() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();
  return (
    <Panel title={words.rights} description={words.rightsText}>
      <SettingSwitch
        label={words.deletion}
        isOn={config.clientUserDeletionEnabled}
        save={clientUserDeletionEnabled => updateConfig({ clientUserDeletionEnabled })}
      />
      <SettingSwitch
        label={words.createTeams}
        isOn={config.clientTeamCreationEnabled}
        save={clientTeamCreationEnabled => updateConfig({ clientTeamCreationEnabled })}
      />
      <SettingSwitch
        label={words.ownTeam}
        description={words.ownTeamText}
        isOn={config.createTeamOnSignUp}
        save={createTeamOnSignUp => updateConfig({ createTeamOnSignUp })}
      />
      <SettingSwitch
        label={words.userKeys}
        description={words.userKeysText}
        isOn={config.allowUserApiKeys}
        save={allowUserApiKeys => updateConfig({ allowUserApiKeys })}
      />
      <SettingSwitch
        label={words.teamKeys}
        description={words.teamKeysText}
        isOn={config.allowTeamApiKeys}
        save={allowTeamApiKeys => updateConfig({ allowTeamApiKeys })}
      />
    </Panel>
  );
}
