import type { Deps } from '../deps.ts';
import { mailVariablesPurpose } from '../features/email/queue/index.ts';
import { sql } from '../platform/database/sql.ts';

/** A queued email, before it is rendered; `server.mailbox` has delivered emails. */
export interface QueuedEmail {
  readonly template: string;
  readonly recipient: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Removes the emails of a project's templates from the queue, oldest first. The only test code that knows its tables. */
export async function takeQueuedEmails({ db, secrets }: Deps, projectId: string): Promise<QueuedEmail[]> {
  const emails = await db.query<{ template: string; recipient: string; variables: Buffer }>(sql`
    with taken as (
      delete from mails where project_id = ${projectId} and variables is not null
      returning id, template, recipient, variables
    )
    select template, recipient, variables from taken
    left join graphile_worker._private_jobs job on job.payload ->> 'id' = taken.id::text
    order by job.id
  `);
  return emails.map(({ template, recipient, variables }) => ({
    template,
    recipient,
    variables: JSON.parse(secrets.decrypt(mailVariablesPurpose, variables).toString()),
  }));
}
