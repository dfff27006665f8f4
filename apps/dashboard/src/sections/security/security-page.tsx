import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../../components/page/page-header.tsx';
import { BlockedPanel } from './limits/blocked-panel.tsx';
import { FailuresPanel } from './limits/failures-panel.tsx';
import { LimitsPanel } from './limits/limits-panel.tsx';
import { DeletionPanel } from './policies/deletion-panel.tsx';
import { PasswordsPanel } from './policies/passwords-panel.tsx';
import { policies } from './policies/policies.ts';
import { RetentionPanel } from './policies/retention-panel.tsx';
import { SessionsPanel } from './policies/sessions-panel.tsx';
import { SwitchPanel } from './policies/switch-panel.tsx';
import { SigningKeysPanel } from './signing-keys-panel.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/security')({ component: SecurityPage });

function SecurityPage() {
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <FailuresPanel />
        <BlockedPanel />
        <SessionsPanel />
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <PasswordsPanel />
          <SwitchPanel policy={policies.passkeys} name="countsAsBothFactors" words={words.passkeys} />
          <SwitchPanel policy={policies.notices} name="enabled" words={words.notices} />
        </div>
        <LimitsPanel />
        <SwitchPanel policy={policies.verification} name="asksForCode" words={words.verification} />
        <SwitchPanel policy={policies.invitations} name="boundToAddress" words={words.invitations} />
        <DeletionPanel />
        <RetentionPanel />
        <SigningKeysPanel />
      </div>
    </>
  );
}
