import { createLazyRoute } from '@tanstack/react-router';
import type { AdminDomainConfig } from '@tessera/client';
import { Badge } from '@tessera/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig, useUpdateConfig } from '../../data/update-project.ts';
import { AddDomain } from './add-domain.tsx';
import { domainFlaw, withoutDomain } from './domain-form.ts';
import { TesterPanel } from './tester-panel.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/domains')({ component: Domains });

function Domains() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();
  const [isAdding, setAdding] = useState(false);
  const add = (
    <ChangeButton onClick={() => setAdding(true)}>
      <Plus aria-hidden size={16} />
      {words.add}
    </ChangeButton>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={add} />
      <Panel title={words.list} description={words.listText}>
        <DomainList />
        <SettingSwitch
          label={words.localhost}
          description={words.localhostText}
          isOn={config.allowLocalhost}
          save={allowLocalhost => updateConfig({ allowLocalhost })}
        />
      </Panel>
      <TesterPanel />
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
    </>
  );
}

function DomainList() {
  const { domains } = useProject().config;
  const [removing, setRemoving] = useState<AdminDomainConfig>();
  if (domains.length === 0) return <p className="tss:text-sm tss:text-muted-foreground">{words.empty}</p>;
  return (
    <>
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
        {domains.map(entry => (
          <li
            key={`${entry.domain} ${entry.handlerPath}`}
            className="tss:flex tss:min-h-14 tss:items-center tss:gap-3 tss:border-t tss:border-border tss:py-2 tss:text-sm tss:first:border-t-0"
          >
            <DomainText {...entry} />
            <ChangeButton
              variant="secondary"
              size="sm"
              aria-label={words.removeOf(entry.domain)}
              onClick={() => setRemoving(entry)}
            >
              {words.remove}
            </ChangeButton>
          </li>
        ))}
      </ul>
      {removing && <RemoveDomain entry={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function DomainText({ domain, handlerPath }: AdminDomainConfig) {
  const flaw = domainFlaw(domain);
  return (
    <div className="tss:grid tss:min-w-0 tss:flex-1">
      <p className="tss:flex tss:flex-wrap tss:items-center tss:gap-2 tss:font-medium tss:wrap-anywhere">
        <bdi dir="ltr">{domain}</bdi>
        {flaw && <Badge tone="destructive">{flaw}</Badge>}
      </p>
      <p className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">{words.handler(handlerPath)}</p>
    </div>
  );
}

function RemoveDomain({ entry, onClose }: { readonly entry: AdminDomainConfig; readonly onClose: () => void }) {
  const changeConfig = useChangeConfig();
  return (
    <ConfirmDialog
      title={words.removeTitle(entry.domain)}
      confirmLabel={words.remove}
      onConfirm={async () => {
        await changeConfig(({ domains }) => ({ domains: withoutDomain(domains, entry) }));
        toast.success(words.removed(entry.domain));
      }}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </ConfirmDialog>
  );
}
