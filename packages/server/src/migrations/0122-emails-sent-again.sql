-- An email that a mail server has refused for good stays, when it has no code: an administrator can send it again.
alter table mails add column failed_at_millis bigint, add column next_attempt_at_millis bigint;
-- What an attempt belongs to. An attempt from before has neither, and cannot be sent again.
alter table sent_mails add column mail_id uuid, add column template text;
