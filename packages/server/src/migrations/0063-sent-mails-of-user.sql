-- outside a transaction
-- For the emails of a user in the log.
create index concurrently if not exists sent_mails_of_user on sent_mails (project_id, user_id, sent_at_millis desc, number desc)
  where user_id is not null;
