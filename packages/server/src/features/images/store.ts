import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export interface StoredImage {
  readonly hash: Buffer;
  readonly content: Buffer;
}

/** A known image gets a new timestamp, so that the purge keeps it. */
export async function insertImage(
  db: Queryable,
  projectId: string,
  { hash, content }: StoredImage,
  nowMillis: number,
): Promise<void> {
  await db.query(sql`
    insert into images (project_id, hash, content, stored_at_millis)
    values (${projectId}, ${hash}, ${content}, ${nowMillis})
    on conflict (project_id, hash) do update set stored_at_millis = excluded.stored_at_millis
  `);
}

export async function selectImage(
  db: Queryable,
  projectId: string,
  hash: Buffer,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [row] = await db.query<{ content: Buffer<ArrayBuffer> }>(sql`
    select content from images where project_id = ${projectId} and hash = ${hash}
  `);
  return row?.content;
}
