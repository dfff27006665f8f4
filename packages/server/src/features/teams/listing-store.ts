import { isUuid } from '@tessera/protocol';
import type { Queryable } from '../../platform/database/database.ts';
import { foldedText, foldText } from '../../platform/database/folded-text.ts';
import { escapeWildcards, sql } from '../../platform/database/sql.ts';
import { type Team, teamColumns } from './store.ts';

/** An order of the team list. */
export type TeamOrder = 'newest' | 'oldest' | 'name';

/** What a page of the team list shows, and where it begins. */
export interface TeamListing {
  readonly order: TeamOrder;
  /** A part of a name, or a whole id. */
  readonly search: string | undefined;
  /** The first team of the page; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** A page of the teams of a project. The page of a cursor whose team was deleted is empty. */
export function selectTeamPage(
  db: Queryable,
  projectId: string,
  { order, search, cursor, limit }: TeamListing,
): Promise<Team[]> {
  const text = search?.trim() ?? '';
  const id = isUuid(text) ? text : undefined;
  const part = id === undefined && text !== '' ? text : undefined;
  const byTime = sql`(t.created_at_millis, t.id)`;
  const cursorByTime = sql`(c.created_at_millis, c.id)`;
  // By the beginning of the name, as in the index `teams_by_name_prefix`.
  const byName = sql`(left(lower(t.display_name), 200), t.id)`;
  const fromCursor =
    order === 'name'
      ? sql`and ${byName} >= (left(lower(c.display_name), 200), c.id)`
      : order === 'oldest'
        ? sql`and ${byTime} >= ${cursorByTime}`
        : sql`and ${byTime} <= ${cursorByTime}`;
  const sorting =
    order === 'name'
      ? sql`left(lower(t.display_name), 200), t.id`
      : order === 'oldest'
        ? sql`t.created_at_millis, t.id`
        : sql`t.created_at_millis desc, t.id desc`;
  return db.query<Team>(sql`
    select ${teamColumns} from teams t
    ${cursor === undefined ? sql`` : sql`join teams c on c.project_id = ${projectId} and c.id = ${cursor}`}
    where t.project_id = ${projectId}
      ${id === undefined ? sql`` : sql`and t.id = ${id}`}
      ${part === undefined ? sql`` : sql`and ${foldedText(sql`t.display_name`)} like ${`%${escapeWildcards(foldText(part))}%`}`}
      ${cursor === undefined ? sql`` : fromCursor}
    order by ${sorting} limit ${limit}
  `);
}
