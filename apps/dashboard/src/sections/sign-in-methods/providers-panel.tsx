import type { ProviderId } from '@tessera/client';
import { Badge, Button, Field, ProviderIcon, providerLook, Select } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ChangeFields } from '../../components/form/change-fields.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { lacksKeys, oauthProviders, providerName } from '../../data/oauth-providers.ts';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { useChangeConfig, useUpdateConfig } from '../../data/update-project.ts';
import { rootRoute } from '../../routes/root.tsx';
import { accessLeft } from './access.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { BeginTest, TestResult } from './provider-test.tsx';
import { signInMethodsRoute } from './routes.ts';
import { words } from './words.ts';

/** The providers that a project can use. The open dialog is in the address. */
export function ProvidersPanel() {
  const { provider: open, test } = signInMethodsRoute.useSearch();
  const navigate = signInMethodsRoute.useNavigate();
  const [ending, setEnding] = useState<ProviderId>();
  const [testing, setTesting] = useState<ProviderId>();
  const close = () => navigate({ search: {}, replace: true });
  const { sharedProviders } = rootRoute.useRouteContext().config;
  const show = (provider: ProviderId) => void navigate({ search: { provider } });

  return (
    <Panel
      title={words.providers}
      description={sharedProviders.length > 0 ? words.providersText : words.providersNeedKeys}
    >
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
        {oauthProviders.map(({ id }) => (
          <ProviderRow
            key={id}
            id={id}
            onOpen={() => show(id)}
            onTest={() => setTesting(id)}
            onSwitchOff={() => setEnding(id)}
          />
        ))}
      </ul>
      <MergeStrategy />
      {open !== undefined && <ProviderDialog key={open} id={open} onClose={() => void close()} />}
      {testing !== undefined && <BeginTest id={testing} onClose={() => setTesting(undefined)} />}
      {test !== undefined && (
        <TestResult
          testId={test}
          onAgain={id => void close().then(() => setTesting(id))}
          onClose={() => void close()}
        />
      )}
      {ending !== undefined && <SwitchOff id={ending} onClose={() => setEnding(undefined)} />}
    </Panel>
  );
}

interface ProviderRowProps {
  readonly id: ProviderId;
  readonly onOpen: () => void;
  readonly onTest: () => void;
  readonly onSwitchOff: () => void;
}

function ProviderRow({ id, onOpen, onTest, onSwitchOff }: ProviderRowProps) {
  const { config } = useProject();
  const stored = config.oauthProviders.find(provider => provider.id === id);
  const { sharedProviders } = rootRoute.useRouteContext().config;
  const needsKeys = stored !== undefined && lacksKeys(stored, sharedProviders);
  const name = providerName(id);
  const { icon } = providerLook(id);
  // A viewer reads the settings of a provider, where there are some.
  const OpenButton = stored ? Button : ChangeButton;
  return (
    <li className="tss:flex tss:min-h-13 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:border-t tss:border-border tss:py-1 tss:text-sm tss:first:border-t-0">
      <span className="tss:flex tss:min-w-0 tss:flex-wrap tss:items-center tss:gap-2 tss:font-medium">
        {icon && <ProviderIcon icon={icon} />}
        {name}
        {needsKeys ? (
          <Badge tone="destructive">{words.needsKeys}</Badge>
        ) : (
          <Badge tone={stored ? 'primary' : 'neutral'}>{stored ? words[stored.type] : words.off}</Badge>
        )}
      </span>
      <span className="tss:ms-auto tss:flex tss:flex-wrap tss:items-center tss:justify-end tss:gap-2">
        {stored && (
          <>
            <ChangeButton variant="secondary" size="sm" aria-label={words.switchOffOf(name)} onClick={onSwitchOff}>
              {words.switchOff}
            </ChangeButton>
            {!needsKeys && (
              <ChangeButton variant="secondary" size="sm" aria-label={words.testOf(name)} onClick={onTest}>
                {words.test}
              </ChangeButton>
            )}
          </>
        )}
        <OpenButton
          variant="secondary"
          size="sm"
          aria-label={stored ? words.changeOf(name) : words.setUpOf(name)}
          onClick={onOpen}
        >
          {stored ? words.change : words.setUp}
        </OpenButton>
      </span>
    </li>
  );
}

function SwitchOff({ id, onClose }: { readonly id: ProviderId; readonly onClose: () => void }) {
  const changeConfig = useChangeConfig();
  const { config } = useProject();
  const { sharedProviders } = rootRoute.useRouteContext().config;
  const name = providerName(id);
  const without = config.oauthProviders.filter(provider => provider.id !== id);
  // Of the moment of the question: the text stays while the answer is saved.
  const [access] = useState(() => accessLeft(config, { oauthProviders: without }, sharedProviders));
  return (
    <ConfirmDialog
      title={words.switchOffTitle(name)}
      confirmLabel={words.switchOff}
      onConfirm={async () => {
        await changeConfig(({ oauthProviders }) => ({
          oauthProviders: oauthProviders.filter(provider => provider.id !== id),
        }));
        toast.success(words.switchedOff(name));
      }}
      onClose={onClose}
    >
      {access !== undefined && <p>{words.lockOut[access]}</p>}
      <p>{words.switchOffText(name)}</p>
    </ConfirmDialog>
  );
}

const strategies = ['link_method', 'raise_error', 'allow_duplicates'] as const;

function MergeStrategy() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();

  async function save(value: string) {
    const strategy = strategies.find(one => one === value);
    try {
      if (strategy !== undefined) await updateConfig({ oauthAccountMergeStrategy: strategy });
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <ChangeFields>
      <Field label={words.merge} description={words.mergeHint} className="tss:max-w-120">
        <Select value={config.oauthAccountMergeStrategy} onChange={event => void save(event.target.value)}>
          {strategies.map(strategy => (
            <option key={strategy} value={strategy}>
              {words.mergeOption[strategy]}
            </option>
          ))}
        </Select>
      </Field>
    </ChangeFields>
  );
}
