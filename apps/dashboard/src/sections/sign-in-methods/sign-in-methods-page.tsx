import { createLazyRoute } from '@tanstack/react-router';
import { FormSummary } from '@tessera/ui';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useUpdateConfig } from '../../data/update-project.ts';
import { rootRoute } from '../../routes/root.tsx';
import { accessLeft, accessOf, type Methods } from './access.ts';
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
  const access = accessOf(useProject().config, rootRoute.useRouteContext().config.sharedProviders);
  if (access === 'everyone') return null;
  const isLocked = access === 'no-user';
  return (
    <FormSummary title={isLocked ? words.noMethodTitle : words.passkeyOnlyTitle}>
      {isLocked ? words.noMethodText : words.passkeyOnlyText}
    </FormSummary>
  );
}

const methods = [
  { setting: 'credentialEnabled', label: words.credential, description: words.credentialText },
  { setting: 'magicLinkEnabled', label: words.emailCode, description: words.emailCodeText },
  { setting: 'passkeyEnabled', label: words.passkey, description: words.passkeyText },
] as const satisfies readonly {
  readonly setting: keyof Methods;
  readonly label: string;
  readonly description: string;
}[];

type Method = (typeof methods)[number];

/** A method that the owner must confirm to switch off, and which users can sign in without it. */
interface Ending {
  readonly method: Method;
  readonly access: keyof typeof words.lockOut;
}

function MethodsPanel() {
  const { config } = useProject();
  const { sharedProviders } = rootRoute.useRouteContext().config;
  const updateConfig = useUpdateConfig();
  const [ending, setEnding] = useState<Ending>();
  const inFlight = useRef<Partial<Methods>>({});

  async function save(method: Method, isOn: boolean) {
    const change = { [method.setting]: isOn };
    const access = accessLeft({ ...config, ...inFlight.current }, change, sharedProviders);
    if (access !== undefined) {
      // The switch goes back until the owner confirms.
      setEnding({ method, access });
      return;
    }
    inFlight.current = { ...inFlight.current, ...change };
    try {
      await updateConfig(change);
    } finally {
      const { [method.setting]: _, ...others } = inFlight.current;
      inFlight.current = others;
    }
  }

  return (
    <Panel title={words.methods}>
      {methods.map(method => (
        <SettingSwitch
          key={method.setting}
          label={method.label}
          description={method.description}
          isOn={config[method.setting]}
          save={isOn => save(method, isOn)}
        />
      ))}
      {ending !== undefined && <SwitchOff {...ending} onClose={() => setEnding(undefined)} />}
    </Panel>
  );
}

interface SwitchOffProps extends Ending {
  readonly onClose: () => void;
}

/** Asks before the last method is switched off. */
function SwitchOff({ method, access, onClose }: SwitchOffProps) {
  const updateConfig = useUpdateConfig();
  return (
    <ConfirmDialog
      title={words.switchOffTitle(method.label)}
      confirmLabel={words.switchOff}
      onConfirm={async () => {
        await updateConfig({ [method.setting]: false });
        toast.success(words.switchedOff(method.label));
      }}
      onClose={onClose}
    >
      <p>{words.lockOut[access]}</p>
    </ConfirmDialog>
  );
}
