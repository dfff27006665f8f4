-- Mail: how often a letter was tried, a log of every try, and what the catcher of development holds.

alter table mails add column attempts integer not null default 0;

create table sent_mails (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  recipients text[] not null,
  -- encrypted: a sign-in code stands in it
  subject bytea not null,
  -- by which server and in whose name, without its password
  sender_config json not null,
  error json,
  sent_at_millis bigint not null,
  primary key (project_id, id)
);

create index sent_mails_by_age on sent_mails (project_id, sent_at_millis desc, id);

create table caught_mails (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  -- encrypted
  message bytea not null,
  caught_at_millis bigint not null,
  primary key (project_id, id)
);
