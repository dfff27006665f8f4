-- Messages to users (docs/contract/decisions.md#email-templates-and-messages). A job adds copies to the queue in batches,
-- in the order of user ids; `last_user_id` is the end of the last batch.
create table messages (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  created_at_millis bigint not null,
  -- subject and blocks, encrypted
  sealed bytea not null,
  category_id uuid not null,
  audience json not null,
  actor_type text not null,
  actor_id uuid,
  state text not null default 'sending' constraint messages_state check (state in ('sending', 'sent', 'canceled')),
  recipients integer not null,
  queued integer not null default 0,
  last_user_id uuid,
  primary key (project_id, id)
);

create index messages_by_age on messages (project_id, created_at_millis desc);

-- Without foreign keys: the log outlives users and messages.
alter table sent_mails add column user_id uuid;
alter table sent_mails add column message_id uuid;
alter table mails add column message_id uuid;
create index mails_of_message on mails (project_id, message_id) where message_id is not null;
