import { createLazyRoute } from '@tanstack/react-router';
import { FormSummary } from '@tessera/ui';
import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateConfig } from '../../data/update-project.ts';
import { accessOf } from './access.ts';
import { ProvidersPanel } from './providers-panel.tsx';
import { SignUpPanel } from './sign-up/sign-up-panel.tsx';
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
          <SignUpPanel />
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
