import type { Queryable, Transaction } from '../../../platform/database/database.ts';
import { onlyRow } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { NotificationCategory } from '../notifications/index.ts';
import { type Audience, andInAudience } from './audience-store.ts';

export type MessageState = 'sending' | 'sent' | 'canceled';

/** A message to users. */
export interface MessageRow {
  readonly id: string;
  readonly createdAtMillis: number;
  /** Subject and content, encrypted under the installation key. */
  readonly encrypted: Buffer;
  readonly categoryId: string;
  readonly audience: Audience;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly state: MessageState;
  readonly recipients: number;
  readonly queued: number;
  readonly lastUserId: string | null;
}

/** A message with its deliveries. */
export interface MessageProgress extends MessageRow {
  /** Copies in the queue. */
  readonly waiting: number;
  readonly accepted: number;
}

const columns = sql`
  m.id, m.created_at_millis as "createdAtMillis", m.sealed as encrypted, m.category_id as "categoryId", m.audience,
  m.actor_type as "actorType", m.actor_id as "actorId", m.state, m.recipients, m.queued,
  m.last_user_id as "lastUserId"
`;

type NewMessage = Omit<MessageRow, 'state' | 'queued' | 'lastUserId'>;

export async function insertMessage(tx: Transaction, projectId: string, message: NewMessage): Promise<void> {
  await tx.query(sql`
    insert into messages (
      project_id, id, created_at_millis, sealed, category_id, audience, actor_type, actor_id, recipients
    ) values (
      ${projectId}, ${message.id}, ${message.createdAtMillis}, ${message.encrypted}, ${message.categoryId},
      ${JSON.stringify(message.audience)}::json, ${message.actorType}, ${message.actorId}, ${message.recipients}
    )
  `);
  await tx.query(sql`insert into message_counts (project_id, message_id) values (${projectId}, ${message.id})`);
}

/** Locks a message until the transaction ends, so that batches follow each other. */
export async function lockMessage(tx: Transaction, projectId: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await tx.query<MessageRow>(sql`
    select ${columns} from messages m where m.project_id = ${projectId} and m.id = ${id} for update
  `);
  return row;
}

/** Newest first, or one message. */
export function selectMessages(
  db: Queryable,
  projectId: string,
  { id, limit }: { id?: string; limit: number },
): Promise<MessageProgress[]> {
  return db.query<MessageProgress>(sql`
    select ${columns}, (
        select count(*)::integer from mails q where q.project_id = ${projectId} and q.message_id = m.id
      ) as waiting, coalesce(c.accepted, (
        select count(*)::integer from sent_mails s
        where s.project_id = ${projectId} and s.message_id = m.id and s.error is null
      )) as accepted
    from messages m left join message_counts c on c.project_id = ${projectId} and c.message_id = m.id
    where m.project_id = ${projectId} ${id === undefined ? sql`` : sql`and m.id = ${id}`}
    order by m.created_at_millis desc, m.id limit ${limit}
  `);
}

export async function updateProgress(
  tx: Transaction,
  projectId: string,
  { id, state, queued, lastUserId }: Pick<MessageRow, 'id' | 'state' | 'queued' | 'lastUserId'>,
): Promise<void> {
  await tx.query(sql`
    update messages set state = ${state}, queued = ${queued}, last_user_id = ${lastUserId}
    where project_id = ${projectId} and id = ${id}
  `);
}

/** The state of a message, and its copies in the queue. */
export type Backlog = Pick<MessageProgress, 'state' | 'waiting'>;

export async function selectBacklog(db: Queryable, projectId: string, id: string): Promise<Backlog | undefined> {
  const [row] = await db.query<Backlog>(sql`
    select m.state, (
        select count(*)::integer from mails q where q.project_id = ${projectId} and q.message_id = m.id
      ) as waiting
    from messages m where m.project_id = ${projectId} and m.id = ${id}
  `);
  return row;
}

/** The next users of an audience in the order of their ids. */
export async function selectNextUserIds(
  db: Queryable,
  projectId: string,
  { audience, after, limit }: { audience: Audience; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select u.id from users u
    where u.project_id = ${projectId} ${after === null ? sql`` : sql`and u.id > ${after}::uuid`} ${andInAudience(audience)}
    order by u.id limit ${limit}
  `);
  return rows.map(({ id }) => id);
}

/** The users that an audience matches, and those of them that get no message, by reason. */
export interface AudienceCounts {
  readonly matching: number;
  readonly withoutAddress: number;
  readonly unsubscribed: number;
}

/** Counts an audience, and those of its users that a message of the category does not reach. */
export async function countAudience(
  db: Queryable,
  projectId: string,
  { audience, category }: { audience: Audience; category: NotificationCategory },
): Promise<AudienceCounts> {
  return onlyRow(
    await db.query<AudienceCounts>(sql`
      select count(*)::integer as matching,
        (count(*) filter (where u.primary_email is null))::integer as "withoutAddress",
        (count(*) filter (
          where u.primary_email is not null and not coalesce(p.is_enabled, ${category.isOnByDefault})
        ))::integer as unsubscribed
      from users u
      left join notification_preferences p
        on p.project_id = ${projectId} and p.user_id = u.id and p.category_id = ${category.id}
      where u.project_id = ${projectId} ${andInAudience(audience)}
    `),
  );
}
