import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { useProject } from '../../data/owner.tsx';
import { endpointColumns } from './columns.tsx';
import { CreateEndpoint } from './create-endpoint.tsx';
import { type Endpoint, endpointsQuery } from './queries.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/webhooks')({ component: WebhookList });

const rowId = (endpoint: Endpoint) => endpoint.id;
const rowName = (endpoint: Endpoint) => endpoint.url;

function WebhookList() {
  const query = useQuery(endpointsQuery(useProject()));
  const [isCreating, setCreating] = useState(false);
  const create = (
    <ChangeButton onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {words.create}
    </ChangeButton>
  );
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        actions={query.data && query.data.length > 0 && create}
      />
      {query.isLoadingError ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : (
        <DataTable
          label={words.title}
          columns={endpointColumns}
          rows={query.data}
          rowId={rowId}
          rowName={rowName}
          empty={
            <EmptyState title={words.empty} icon={<Webhook aria-hidden />} action={create}>
              {words.emptyText}
            </EmptyState>
          }
        />
      )}
      {isCreating && <CreateEndpoint onClose={() => setCreating(false)} />}
    </>
  );
}
