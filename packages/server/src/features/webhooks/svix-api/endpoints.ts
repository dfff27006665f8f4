import { randomUUID } from 'node:crypto';
import { svixEndpoints, webhookEndpointsMax } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import { type Database, type Queryable, transaction, violatedConstraint } from '../../../platform/database/database.ts';
import type { Outbound } from '../../../platform/network/outbound.ts';
import { makeSecret } from '../delivery/signature.ts';
import { encryptKeys } from '../endpoints/secrets.ts';
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointName,
  type EndpointRow,
  type EndpointSettings,
  insertEndpoint,
  lockEndpoint,
  selectEndpoint,
  selectEndpoints,
  selectProjectCreatedAt,
  updateEndpoint,
} from '../endpoints/store.ts';
import { fromPublicId } from '../rules.ts';
import { holdMayChange } from './access.ts';
import { conflict, invalid, notFound } from './failures.ts';
import { pageOf, readPageRequest } from './paging.ts';
import { type SvixCall, type SvixRoute, svixRoute } from './route.ts';
import { applicationOut, endpointOut } from './wire.ts';

export interface SvixEndpointDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
}

export function svixEndpointRoutes(deps: SvixEndpointDeps): SvixRoute[] {
  const { db, clock, secrets } = deps;
  return [
    svixRoute(svixEndpoints.readApplication, async ({ project }) => {
      const createdAtMillis = await selectProjectCreatedAt(db, project.id);
      return applicationOut({ ...project, createdAtMillis: createdAtMillis ?? notFound() });
    }),

    svixRoute(svixEndpoints.listEndpoints, async ({ project, query }) => {
      const page = readPageRequest(query, { isDescending: query.order === 'descending' });
      const rows = await selectEndpoints(db, project.id, page.keyset);
      const placeOf = ({ id, createdAtMillis }: EndpointRow) => ({ id, atMillis: createdAtMillis });
      return pageOf(rows, page, { placeOf, itemOf: endpointOut });
    }),

    svixRoute(svixEndpoints.createEndpoint, async ({ project, access, body }) => {
      assertReachable(body.url, deps);
      const id = randomUUID();
      const keys = [{ key: body.secret ?? makeSecret(), endsAtMillis: null }];
      const row = { ...settingsOf(body), id, secrets: encryptKeys(secrets, keys), nowMillis: clock.now() };
      return unlessNameTaken(() =>
        transaction(db, async tx => {
          await holdMayChange(tx, access, deps);
          if ((await countEndpoints(tx, project.id)) >= webhookEndpointsMax) {
            conflict(`There are ${webhookEndpointsMax} endpoints already.`);
          }
          await insertEndpoint(tx, project.id, row);
          return endpointOut(await endpointById(tx, project.id, id));
        }),
      );
    }),

    svixRoute(svixEndpoints.readEndpoint, async call => endpointOut(await namedEndpoint(db, call))),

    svixRoute(svixEndpoints.replaceEndpoint, async call => {
      assertReachable(call.body.url, deps);
      return change(call, () => settingsOf(call.body), deps);
    }),

    svixRoute(svixEndpoints.changeEndpoint, async call => {
      if (call.body.url !== undefined) assertReachable(call.body.url, deps);
      return change(call, endpoint => ({ ...endpoint, ...changedSettings(call.body) }), deps);
    }),

    svixRoute(svixEndpoints.deleteEndpoint, async call => {
      await transaction(db, async tx => {
        await holdMayChange(tx, call.access, deps);
        const { id } = await namedEndpoint(tx, call);
        await deleteEndpoint(tx, call.project.id, id, clock.now());
      });
      return undefined;
    }),
  ];
}

type NamedCall = Pick<SvixCall, 'project' | 'params'>;

/** The endpoint in the path. */
export async function namedEndpoint(db: Queryable, call: NamedCall): Promise<EndpointRow> {
  return (await selectEndpoint(db, call.project.id, nameIn(call))) ?? notFound();
}

/** An id or the uid that the owner chose. */
function nameIn({ params: { endpoint_id: name = '' } }: NamedCall): EndpointName {
  const id = fromPublicId('endpoint', name) ?? null;
  return { id, uid: id === null ? name : null };
}

async function endpointById(db: Queryable, projectId: string, id: string): Promise<EndpointRow> {
  return (await selectEndpoint(db, projectId, { id, uid: null })) ?? notFound();
}

function change(
  call: NamedCall & Pick<SvixCall, 'access'>,
  changed: (endpoint: EndpointRow) => EndpointSettings,
  { db, clock }: SvixEndpointDeps,
): Promise<ReturnType<typeof endpointOut>> {
  return unlessNameTaken(() =>
    transaction(db, async tx => {
      await holdMayChange(tx, call.access, { clock });
      const endpoint = (await lockEndpoint(tx, call.project.id, nameIn(call))) ?? notFound();
      await updateEndpoint(tx, call.project.id, endpoint.id, { ...changed(endpoint), nowMillis: clock.now() });
      return endpointOut(await endpointById(tx, call.project.id, endpoint.id));
    }),
  );
}

interface SentSettings {
  readonly url: string;
  readonly uid?: string | null | undefined;
  readonly description?: string | undefined;
  readonly filterTypes?: readonly string[] | null | undefined;
  readonly disabled?: boolean | undefined;
  readonly metadata?: Record<string, string> | undefined;
  readonly version?: number | null | undefined;
}

/** Missing settings get their defaults. */
function settingsOf(sent: SentSettings): EndpointSettings {
  return {
    url: sent.url,
    uid: sent.uid ?? null,
    description: sent.description ?? '',
    filterTypes: sent.filterTypes ?? null,
    isDisabled: sent.disabled ?? false,
    metadata: sent.metadata ?? {},
    version: sent.version ?? 1,
  };
}

/** Missing settings keep their values. */
function changedSettings({ disabled, ...sent }: Partial<SentSettings>): Partial<EndpointSettings> {
  const { url, uid, description, filterTypes, metadata, version } = sent;
  const given = { url, uid, description, filterTypes, metadata, version, isDisabled: disabled };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Checks only a literal IP address. Host names are resolved at delivery. */
function assertReachable(url: string, { outbound }: SvixEndpointDeps): void {
  if (!outbound.mayAsk(url)) invalid(['body', 'url'], 'must be a public address');
}

async function unlessNameTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) === 'webhook_endpoints_uid') conflict('An endpoint with this uid exists already.');
    throw error;
  }
}
