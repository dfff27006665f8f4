import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { FormSummary, Skeleton } from '@tessera/ui';
import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateConfig } from '../../data/update-project.ts';
import { accessOf } from './access.ts';
import { ProvidersPanel } from './providers-panel.tsx';
import { anonymousUsersQuery } from './queries.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/sign-in-methods')({ component: SignInMethods });

function SignInMethods() {
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <AccessWarning />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:xl:grid-cols-2">
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <MethodsPanel />
          <AccountsPanel />
        </div>
        <ProvidersPanel />
      </div>
    </>
  );
}

/** Says that the methods lock users out. */
function AccessWarning() {
  const access = accessOf(useProject().config);
  if (access === 'everyone') return null;
  const isLocked = access === 'no-user';
  return (
    <FormSummary title={isLocked ? words.noMethodTitle : words.passkeyOnlyTitle}>
      {isLocked ? words.noMethodText : words.passkeyOnlyText}
    </FormSummary>
  );
}

function MethodsPanel() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();
  return (
    <Panel title={words.methods}>
      <SettingSwitch
        label={words.credential}
        description={words.credentialText}
        isOn={config.credentialEnabled}
        save={credentialEnabled => updateConfig({ credentialEnabled })}
      />
      <SettingSwitch
        label={words.emailCode}
        description={words.emailCodeText}
        isOn={config.magicLinkEnabled}
        save={magicLinkEnabled => updateConfig({ magicLinkEnabled })}
      />
      <SettingSwitch
        label={words.passkey}
        description={words.passkeyText}
        isOn={config.passkeyEnabled}
        save={passkeyEnabled => updateConfig({ passkeyEnabled })}
      />
    </Panel>
  );
}

function AccountsPanel() {
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
    </Panel>
  );
}

function AnonymousSwitch() {
  const project = useProject();
  const cache = useQueryClient();
  const options = anonymousUsersQuery(project);
  const settings = useQuery(options);
  if (settings.isPending) return <Skeleton className="tss:h-16" />;
  if (settings.isError) return <Problem error={settings.error} retry={settings.refetch} />;
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
