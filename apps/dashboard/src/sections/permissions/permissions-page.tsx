import { createLazyRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageHeader } from '../../components/page/page-header.tsx';
import { SearchField } from '../../components/table/search-field.tsx';
import { DefaultsPanel } from './defaults-panel.tsx';
import { DefinitionsPanel } from './definitions-panel.tsx';
import { permissionsRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/permissions')({ component: PermissionsPage });

function PermissionsPage() {
  const { q } = permissionsRoute.useSearch();
  const navigate = permissionsRoute.useNavigate();
  const search = useCallback(
    (text: string | undefined) => void navigate({ search: text === undefined ? {} : { q: text }, replace: true }),
    [navigate],
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      <search>
        <SearchField label={words.filter} value={q} onSearch={search} />
      </search>
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <DefinitionsPanel scope="team" />
        <DefinitionsPanel scope="project" />
        <DefaultsPanel />
      </div>
    </>
  );
}
