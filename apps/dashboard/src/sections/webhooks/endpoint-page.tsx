import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { BackLink } from '../../components/page/back-link.tsx';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { NotFound } from '../../components/page/not-found.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { openPagePollMs } from '../../data/query-client.ts';
import { eventsOf, StateBadge } from './columns.tsx';
import { DeletePanel } from './detail/delete-panel.tsx';
import { DeliveriesPanel } from './detail/deliveries-panel.tsx';
import { ExamplePanel } from './detail/example-panel.tsx';
import { SecretPanel } from './detail/secret-panel.tsx';
import { SettingsPanel } from './detail/settings-panel.tsx';
import { TesterPanel } from './detail/tester-panel.tsx';
import { type Endpoint, endpointsQuery } from './queries.ts';
import { webhookRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/webhooks/$endpointId')({ component: EndpointPage });

function EndpointPage() {
  const project = useProject();
  const { endpointId } = webhookRoute.useParams();
  const query = useQuery({ ...endpointsQuery(project), refetchInterval: openPagePollMs });
  const endpoint = query.data?.find(({ id }) => id === endpointId);

  return (
    <>
      <BackLink to="/projects/$projectId/webhooks" params={{ projectId: project.id }}>
        {words.back}
      </BackLink>
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && endpoint === undefined && <NotFound title={words.notFound}>{words.notFoundText}</NotFound>}
      {endpoint && <FoundEndpoint key={endpoint.id} endpoint={endpoint} />}
    </>
  );
}

function FoundEndpoint({ endpoint }: { readonly endpoint: Endpoint }) {
  return (
    <>
      <PageHeader
        title={endpoint.url}
        description={
          <>
            {eventsOf(endpoint)} <StateBadge endpoint={endpoint} />
          </>
        }
      />
      <DeliveriesPanel endpoint={endpoint} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <SettingsPanel endpoint={endpoint} />
          <DeletePanel endpoint={endpoint} />
        </div>
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-6">
          <SecretPanel endpoint={endpoint} />
          <ExamplePanel endpoint={endpoint} />
          <TesterPanel endpoint={endpoint} />
        </div>
      </div>
    </>
  );
}
