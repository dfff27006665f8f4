import { createLazyRoute } from '@tanstack/react-router';
import { PageHeader } from '../../components/page/page-header.tsx';
import { DeletePanel } from './delete-panel.tsx';
import { GeneralPanel } from './general-panel.tsx';
import { LogoPanel } from './logo-panel.tsx';
import { MembersPanel } from './members/members-panel.tsx';
import { ProductionPanel } from './production-panel.tsx';
import { RightsPanel } from './rights-panel.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/settings')({ component: ProjectSettings });

function ProjectSettings() {
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:xl:grid-cols-2">
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <GeneralPanel />
          <LogoPanel />
          <RightsPanel />
        </div>
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <MembersPanel />
          <ProductionPanel />
          <DeletePanel />
        </div>
      </div>
    </>
  );
}
