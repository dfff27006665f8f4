-- E-mail administration: a project's own templates, one text for many readers, and whose letters are in the post.

create table email_templates (
  project_id text not null references projects (id) on delete cascade,
  type text not null,
  subject text not null,
  -- blocks as a dashboard wrote them, keys that are unknown here included
  content json not null,
  primary key (project_id, type)
);

create table mail_bodies (
  project_id text not null references projects (id) on delete cascade,
  id uuid not null,
  -- encrypted; erased with the last letter that needs it
  sealed bytea not null,
  primary key (project_id, id)
);

alter table mails
  -- to whom it is addressed, where that is a user: their letters go with them
  add column user_id uuid,
  -- the text, where several letters share it
  add column body_id uuid,
  add constraint mails_user foreign key (project_id, user_id) references users (project_id, id) on delete cascade,
  add constraint mails_body foreign key (project_id, body_id) references mail_bodies (project_id, id) on delete cascade;

create index mails_of_user on mails (project_id, user_id) where user_id is not null;
create index mails_of_body on mails (project_id, body_id) where body_id is not null;

-- Attempts of the same millisecond have an order too.
alter table sent_mails add column number bigint generated always as identity;
drop index sent_mails_by_age;
create index sent_mails_by_age on sent_mails (project_id, sent_at_millis desc, number desc);
-- The digest asks about all projects.
create index sent_mails_failed on sent_mails (sent_at_millis) where error is not null;
