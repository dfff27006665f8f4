import { sentEmailRetentionMs, undeliveredMailRetentionMs } from '@tessera/protocol';
import type { PurgeRule } from '../../platform/database/purge.ts';
import { sql } from '../../platform/database/sql.ts';

export const emailPurgeRules: readonly PurgeRule[] = [
  {
    name: 'log of sent emails',
    table: sql`sent_mails`,
    places: nowMillis => sql`
      select old.ctid from projects p cross join lateral (
        select s.ctid from sent_mails s
        where s.project_id = p.id and s.sent_at_millis < ${nowMillis - sentEmailRetentionMs}
      ) old
    `,
  },
  {
    name: 'messages to users',
    table: sql`messages`,
    places: nowMillis => sql`
      select old.ctid from projects p cross join lateral (
        select m.ctid from messages m
        where m.project_id = p.id and m.created_at_millis < ${nowMillis - sentEmailRetentionMs}
      ) old
    `,
  },
  {
    // Emails whose job failed permanently or was lost.
    name: 'undelivered emails',
    table: sql`mails`,
    places: nowMillis => sql`
      select old.ctid from projects p cross join lateral (
        select m.ctid from mails m
        where m.project_id = p.id and m.created_at_millis < ${nowMillis - undeliveredMailRetentionMs}
      ) old
    `,
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
