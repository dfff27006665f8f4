import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { type Statement, sql } from '../../../platform/database/sql.ts';
import type { Keyset } from '../svix-api/paging.ts';

/** The settings of an endpoint. */
export interface EndpointSettings {
  readonly uid: string | null;
  readonly url: string;
  readonly description: string;
  readonly filterTypes: readonly string[] | null;
  readonly isDisabled: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly version: number;
}

export interface EndpointRow extends EndpointSettings {
  readonly id: string;
  readonly createdAtMillis: number;
  readonly updatedAtMillis: number;
}

const columns = sql`
  id, uid, url, description, filter_types as "filterTypes", is_disabled as "isDisabled", metadata, version,
  created_at_millis as "createdAtMillis", updated_at_millis as "updatedAtMillis"
`;

/** Identifies an endpoint by its id or by the uid that the owner chose. */
export interface EndpointName {
  readonly id: string | null;
  readonly uid: string | null;
}

export async function selectEndpoint(
  db: Queryable,
  projectId: string,
  name: EndpointName,
): Promise<EndpointRow | undefined> {
  const [row] = await db.query<EndpointRow>(endpointNamed(projectId, name));
  return row;
}

/** Locks an endpoint until the transaction ends, so that a change of its settings loses no concurrent one. */
export async function lockEndpoint(
  tx: Transaction,
  projectId: string,
  name: EndpointName,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`${endpointNamed(projectId, name)} for no key update`);
  return row;
}

function endpointNamed(projectId: string, { id, uid }: EndpointName): Statement {
  return sql`
    select ${columns} from webhook_endpoints
    where project_id = ${projectId} and (id = ${id} or uid = ${uid}) and deleted_at_millis is null
  `;
}

/** The endpoints behind a position in the list, at most `count`. */
export function selectEndpoints(db: Queryable, projectId: string, keyset: Keyset): Promise<EndpointRow[]> {
  const { place, isDescending, count } = keyset;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const comparison = isDescending ? sql`<` : sql`>`;
  return db.query<EndpointRow>(sql`
    select ${columns} from webhook_endpoints
    where project_id = ${projectId} and deleted_at_millis is null
      and (${place === null}::boolean or (created_at_millis, id) ${comparison} (${place?.atMillis ?? 0}::bigint, ${place?.id ?? null}::uuid))
    order by created_at_millis ${direction}, id ${direction}
    limit ${count}
  `);
}

/** Counts the endpoints of a project and locks the count until the transaction ends. */
export async function countEndpoints(tx: Transaction, projectId: string): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('webhook endpoints'), hashtext(${projectId}))`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from webhook_endpoints where project_id = ${projectId} and deleted_at_millis is null
  `);
  return row?.count ?? 0;
}

/** @throws a violation of `webhook_endpoints_uid` when another endpoint has that uid */
export async function insertEndpoint(
  tx: Transaction,
  projectId: string,
  endpoint: EndpointSettings & { id: string; secrets: Buffer; nowMillis: number },
): Promise<void> {
  await tx.query(sql`
    insert into webhook_endpoints (
      project_id, id, uid, url, description, filter_types, is_disabled, metadata, version, secrets,
      created_at_millis, updated_at_millis
    )
    values (
      ${projectId}, ${endpoint.id}, ${endpoint.uid}, ${endpoint.url}, ${endpoint.description}, ${endpoint.filterTypes},
      ${endpoint.isDisabled}, ${JSON.stringify(endpoint.metadata)}, ${endpoint.version}, ${endpoint.secrets},
      ${endpoint.nowMillis}, ${endpoint.nowMillis}
    )
  `);
}

/** Clears the failure history of an endpoint that is enabled again or gets another URL. @throws as *insertEndpoint* */
export async function updateEndpoint(
  tx: Transaction,
  projectId: string,
  id: string,
  { nowMillis, ...settings }: EndpointSettings & { nowMillis: number },
): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints
    set uid = ${settings.uid}, url = ${settings.url}, description = ${settings.description},
      filter_types = ${settings.filterTypes}, metadata = ${JSON.stringify(settings.metadata)},
      version = ${settings.version}, updated_at_millis = ${nowMillis},
      failing_since_millis = case
        when is_disabled and not ${settings.isDisabled} or url <> ${settings.url} then null else failing_since_millis
      end,
      is_disabled = ${settings.isDisabled}
    where project_id = ${projectId} and id = ${id}
  `);
}

/** Deletes the keys at once. The delivery history is deleted with the messages. */
export async function deleteEndpoint(tx: Transaction, projectId: string, id: string, nowMillis: number): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set deleted_at_millis = ${nowMillis}, uid = null, secrets = ''
    where project_id = ${projectId} and id = ${id}
  `);
}

/** Locks the endpoint until the transaction ends, so that concurrent rotations run one after the other. */
export async function lockSecrets(tx: Transaction, projectId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ secrets: Buffer }>(sql`
    select secrets from webhook_endpoints
    where project_id = ${projectId} and id = ${id} and deleted_at_millis is null for update
  `);
  return row?.secrets;
}

export async function selectSecrets(db: Queryable, projectId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ secrets: Buffer }>(sql`
    select secrets from webhook_endpoints
    where project_id = ${projectId} and id = ${id} and deleted_at_millis is null
  `);
  return row?.secrets;
}

export async function updateSecrets(tx: Transaction, projectId: string, id: string, secrets: Buffer): Promise<void> {
  await tx.query(sql`
    update webhook_endpoints set secrets = ${secrets} where project_id = ${projectId} and id = ${id}
  `);
}

export async function selectProjectCreatedAt(db: Queryable, projectId: string): Promise<number | undefined> {
  const [row] = await db.query<{ createdAtMillis: number }>(sql`
    select created_at_millis as "createdAtMillis" from projects where id = ${projectId}
  `);
  return row?.createdAtMillis;
}
