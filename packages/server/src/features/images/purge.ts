import { unusedImageKeptMs } from '@tessera/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type PurgeRule, purge } from '../../platform/database/purge.ts';
import { type Statement, sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Task } from '../../platform/queue/work.ts';

/** Name of the job that deletes unreferenced images. It scans whole tables, so it runs once a day. */
export const imagePurgeTask = 'purge_images';

/** Compares only the end of the URL, because the public URL of the server may have changed. */
function refersTo(table: Statement): Statement {
  return sql`
    exists (
      select from ${table} r
      where r.project_id = i.project_id and r.profile_image_url like '%.webp'
        and right(r.profile_image_url, 69) = encode(i.hash, 'hex') || '.webp'
    )
  `;
}

const isLogo = sql`
  exists (
    select from projects p
    where p.id = i.project_id
      and right(p.config::jsonb #>> '{branding,logoUrl}', 69) = encode(i.hash, 'hex') || '.webp'
  )
`;

const unusedImages: PurgeRule = {
  name: 'images that nothing refers to',
  table: sql`images`,
  places: nowMillis => sql`
    select i.ctid from images i
    where i.stored_at_millis <= ${nowMillis - unusedImageKeptMs}
      and not ${isLogo} and not ${refersTo(sql`users`)} and not ${refersTo(sql`teams`)} and not ${refersTo(sql`team_memberships`)}
  `,
};

export function imagePurge(deps: { readonly clock: Clock; readonly db: Database; readonly log: Log }): Task {
  return purge([unusedImages], deps, imagePurgeTask);
}
