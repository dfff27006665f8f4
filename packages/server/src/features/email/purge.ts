import { failedEmailRetentionMs, sentEmailRetentionMs, undeliveredMailRetentionMs } from '@tessera/protocol';
import { type PurgeRule, selectOldRows } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const emailPurgeRules: readonly PurgeRule[] = [
  {
    name: 'log of sent emails',
    table: sql`sent_mails`,
    places: nowMillis => selectOldRows(sql`sent_mails`, sql`sent_at_millis`, nowMillis - sentEmailRetentionMs),
  },
  {
    name: 'messages to users',
    table: sql`messages`,
    places: nowMillis => selectOldRows(sql`messages`, sql`created_at_millis`, nowMillis - sentEmailRetentionMs),
  },
  {
    // Emails that can be sent again until now.
    name: 'failed emails',
    table: sql`mails`,
    places: nowMillis => sql`
      select failed.ctid from projects p cross join lateral (
        select m.ctid from mails m where m.project_id = p.id
          and m.created_at_millis < ${nowMillis - failedEmailRetentionMs} and m.failed_at_millis is not null
      ) failed
    `,
  },
  {
    // Emails whose job failed permanently or was lost.
    name: 'undelivered emails',
    table: sql`mails`,
    places: nowMillis => selectOldRows(sql`mails`, sql`created_at_millis`, nowMillis - undeliveredMailRetentionMs),
  },
  {
    // Bodies whose last email was deleted with its user instead of delivered.
    name: 'unused email bodies',
    table: sql`mail_bodies`,
    places: () => sql`
      select b.ctid from mail_bodies b
      where not exists (select from mails m where m.project_id = b.project_id and m.body_id = b.id)
    `,
  },
];
