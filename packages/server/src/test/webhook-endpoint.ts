import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** Adds a webhook endpoint for every event to a project, so that its events are stored. Its URL does not respond. */
export async function addWebhookEndpoint(db: Database, projectId: string): Promise<void> {
  await db.query(sql`
    insert into webhook_endpoints (
      project_id, id, url, description, is_disabled, metadata, version, secrets, created_at_millis, updated_at_millis
    )
    values (${projectId}, ${randomUUID()}, 'http://127.0.0.1:9/', '', false, '{}', 1, '', 0, 0)
  `);
}
