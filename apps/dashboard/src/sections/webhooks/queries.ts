import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { type DeliverySearch, deliveryOptions } from './search.ts';

const pageSize = 50;
const pollMs = 5_000;

/** The key of everything about the webhooks of a project. */
export const webhooksKey = (project: OwnedProject) => ['project', project.id, 'webhooks'] as const;

/** A webhook endpoint of the project. */
export type Endpoint = Awaited<ReturnType<OwnedProject['app']['listWebhookEndpoints']>>[number];

/** A message with the state of its delivery to one endpoint. */
export type Delivery = Awaited<ReturnType<OwnedProject['app']['listWebhookEndpointMessages']>>[number];

/** A type of event. */
export type EventType = Delivery['eventType'];

/** All endpoints of a project. */
export function endpointsQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...webhooksKey(project), 'endpoints'],
    queryFn: async () => {
      const endpoints: Endpoint[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await project.app.listWebhookEndpoints({ limit: 250, ...(cursor ? { cursor } : {}) });
        endpoints.push(...page);
        cursor = page.nextCursor;
      } while (cursor);
      return endpoints;
    },
  });
}

/** The types of events that an endpoint can receive. */
export function eventTypesQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...webhooksKey(project), 'event-types'],
    queryFn: () => project.app.listWebhookEventTypes(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Pages of the messages for an endpoint, newest first; the newest page is read again until an older one is loaded. */
export function deliveryPagesQuery(project: OwnedProject, endpointId: string, search: DeliverySearch) {
  return infiniteQueryOptions({
    queryKey: [...webhooksKey(project), 'deliveries', endpointId, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      project.app.listWebhookEndpointMessages(endpointId, {
        limit: pageSize,
        ...deliveryOptions(search, new Date()),
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    getNextPageParam: page => page.nextCursor ?? undefined,
    // Every loaded page would be read again.
    refetchInterval: query => ((query.state.data?.pages.length ?? 1) > 1 ? false : pollMs),
  });
}

/** The newest attempts to deliver to an endpoint. */
export function latestAttemptsQuery(project: OwnedProject, endpointId: string, limit: number) {
  return queryOptions({
    queryKey: [...webhooksKey(project), 'latest-attempts', endpointId, limit],
    queryFn: () => project.app.listWebhookAttempts(endpointId, { limit }),
    refetchInterval: pollMs,
  });
}

/** The attempts to deliver a message to one endpoint, newest first; read again until there is one. */
export function attemptsQuery(project: OwnedProject, endpointId: string, messageId: string) {
  return queryOptions({
    queryKey: [...webhooksKey(project), 'attempts', endpointId, messageId],
    queryFn: async () => {
      const attempts = await project.app.getWebhookMessageAttempts(messageId);
      return attempts.filter(attempt => attempt.endpointId === endpointId);
    },
    refetchInterval: query => (query.state.data?.length ? false : pollMs),
  });
}
