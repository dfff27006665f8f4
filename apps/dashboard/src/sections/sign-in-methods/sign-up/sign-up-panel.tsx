import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Separator, Skeleton } from '@tessera/ui';
import { SettingSwitch } from '../../../components/form/setting-switch.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { useUpdateConfig } from '../../../data/update-project.ts';
import { anonymousUsersQuery, signUpRestrictionsQuery } from '../queries.ts';
import { words } from '../words.ts';
import { RestrictionsForm } from './restrictions-form.tsx';

/** Who can create an account. */
export function SignUpPanel() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();
  return (
    <Panel title={words.accounts}>
      <SettingSwitch
        label={words.signUp}
        description={words.signUpText}
        isOn={config.signUpEnabled}
        save={signUpEnabled => updateConfig({ signUpEnabled })}
      />
      <AnonymousSwitch />
      <Separator />
      <Restrictions />
    </Panel>
  );
}

function Restrictions() {
  const restrictions = useQuery(signUpRestrictionsQuery(useProject()));
  if (restrictions.isPending) return <Skeleton className="tss:h-64" />;
  if (restrictions.data === undefined) return <Problem error={restrictions.error} retry={restrictions.refetch} />;
  return <RestrictionsForm stored={restrictions.data} />;
}

function AnonymousSwitch() {
  const project = useProject();
  const cache = useQueryClient();
  const options = anonymousUsersQuery(project);
  const settings = useQuery(options);
  if (settings.isPending) return <Skeleton className="tss:h-16" />;
  if (settings.data === undefined) return <Problem error={settings.error} retry={settings.refetch} />;
  return (
    <SettingSwitch
      label={words.anonymous}
      description={words.anonymousText}
      isOn={settings.data.enabled}
      save={async enabled => {
        await project.app.updateAnonymousUserSettings({ enabled });
        await cache.invalidateQueries({ queryKey: options.queryKey });
      }}
    />
  );
}
