-- Copies of a message that a mail server has accepted. A row of its own: the delivery of a copy must not wait for a batch
-- that holds the message. Messages that were created before have none; their copies are counted in the log.
create table message_counts (
  project_id text not null,
  message_id uuid not null,
  accepted integer not null default 0,
  primary key (project_id, message_id),
  constraint message_counts_message foreign key (project_id, message_id)
    references messages (project_id, id) on delete cascade
);
