import { svixEndpoints } from '@tessera/protocol';
import type { Database } from '../../../platform/database/database.ts';
import { fromMessageId } from '../rules.ts';
import { namedEndpoint } from './endpoints.ts';
import { notFound } from './failures.ts';
import {
  type AttemptFilter,
  type AttemptRow,
  type DeliveryRow,
  type HistoryFilter,
  type MessageRow,
  selectAttempts,
  selectDeliveries,
  selectMessage,
  selectMessages,
} from './history-store.ts';
import { type Keyset, type Page, readPage, readPageRequest } from './paging.ts';
import { type SvixCall, type SvixRoute, svixRoute } from './route.ts';
import { attemptOut, endpointMessageOut, messageOut } from './wire.ts';

export interface SvixHistoryDeps {
  readonly db: Database;
}

const newestFirst = { isDescending: true };

export function svixHistoryRoutes(deps: SvixHistoryDeps): SvixRoute[] {
  const { db } = deps;

  async function attempts(
    { project, query }: Pick<SvixCall, 'project'> & { query: AttemptQuery },
    subject: Pick<AttemptFilter, 'endpointId' | 'eventId'>,
    shown: Parameters<typeof attemptOut>[1],
  ): Promise<Page<ReturnType<typeof attemptOut>>> {
    const page = readPageRequest(query, newestFirst);
    const filter = { ...historyFilter(query), ...subject, ...outcomeFilter(query) };
    const read = async (keyset: Keyset) =>
      isWanted(query) ? selectAttempts(db.reads, project.id, filter, keyset) : [];
    const placeOf = ({ id, atMillis }: AttemptRow) => ({ id, atMillis });
    return readPage(page, read, { placeOf, itemOf: row => attemptOut(row, shown) });
  }

  return [
    svixRoute(svixEndpoints.listMessages, async ({ project, query }) => {
      const page = readPageRequest(query, newestFirst);
      const read = async (keyset: Keyset) =>
        isTagged(query) ? [] : selectMessages(db.reads, project.id, historyFilter(query), keyset);
      const itemOf = (row: MessageRow) => messageOut(row, { withContent: query.with_content });
      return readPage(page, read, { placeOf: placeOfMessage, itemOf });
    }),

    svixRoute(svixEndpoints.readMessage, async call =>
      messageOut(await namedMessage(call, deps), { withContent: call.query.with_content }),
    ),

    svixRoute(svixEndpoints.listAttemptsOfEndpoint, async call => {
      const { id: endpointId } = await namedEndpoint(db, call);
      const shown = { withContent: call.query.with_content, withMessage: call.query.with_msg };
      return attempts(call, { endpointId }, shown);
    }),

    svixRoute(svixEndpoints.listAttemptsOfMessage, async call => {
      const { id: eventId } = await namedMessage(call, deps);
      const { endpoint_id } = call.query;
      const of = endpoint_id === undefined ? undefined : await namedEndpoint(db, { ...call, params: { endpoint_id } });
      return attempts(
        call,
        { eventId, endpointId: of?.id },
        { withContent: call.query.with_content, withMessage: false },
      );
    }),

    svixRoute(svixEndpoints.listMessagesOfEndpoint, async ({ query, ...call }) => {
      const { id: endpointId } = await namedEndpoint(db, call);
      const page = readPageRequest(query, newestFirst);
      const status = query.status === undefined ? undefined : deliveryStatuses[query.status];
      const isPossible = !isTagged(query) && (query.status === undefined || status !== undefined);
      const filter = { ...historyFilter(query), endpointId, status };
      const read = async (keyset: Keyset) =>
        isPossible ? selectDeliveries(db.reads, call.project.id, filter, keyset) : [];
      const placeOf = ({ message }: DeliveryRow) => placeOfMessage(message);
      const itemOf = (row: DeliveryRow) => endpointMessageOut(row, { withContent: query.with_content });
      return readPage(page, read, { placeOf, itemOf });
    }),
  ];
}

/** The message in the path. */
export async function namedMessage(
  { project, params }: Pick<SvixCall, 'project' | 'params'>,
  { db }: SvixHistoryDeps,
): Promise<MessageRow> {
  const id = fromMessageId(params.msg_id ?? '') ?? notFound();
  return (await selectMessage(db, project.id, id)) ?? notFound();
}

function placeOfMessage({ id, createdAtMillis }: MessageRow) {
  return { id, atMillis: createdAtMillis };
}

interface HistoryQuery {
  readonly limit: number;
  readonly iterator?: string | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly event_types?: string | undefined;
  readonly channel?: string | undefined;
  readonly tag?: string | undefined;
}

interface AttemptQuery extends HistoryQuery {
  readonly status?: number | undefined;
  readonly status_code_class?: number | undefined;
}

function historyFilter({ before, after, event_types }: HistoryQuery): HistoryFilter {
  return { beforeMillis: before, afterMillis: after, types: event_types?.split(',') };
}

const succeeded = 0;
const failed = 2;
/** Maps to the status numbers of Svix. The states "sending" and "canceled" do not occur here. */
const deliveryStatuses: Readonly<Record<number, DeliveryRow['status']>> = { 0: 'success', 1: 'pending', 2: 'fail' };

function outcomeFilter({ status, status_code_class }: AttemptQuery): Pick<AttemptFilter, 'isSuccess' | 'statusClass'> {
  return { isSuccess: status === undefined ? undefined : status === succeeded, statusClass: status_code_class };
}

/** Listed attempts are finished, so none is pending. */
function isWanted(query: AttemptQuery): boolean {
  return !isTagged(query) && (query.status === undefined || query.status === succeeded || query.status === failed);
}

/** Messages have no channels and no tags, so a filter by them matches nothing. */
function isTagged({ channel, tag }: HistoryQuery): boolean {
  return channel !== undefined || tag !== undefined;
}
