-- outside a transaction
-- For the progress of a message to users, and its deliveries in the log.
create index concurrently if not exists sent_mails_of_message on sent_mails (project_id, message_id, sent_at_millis desc, number desc)
  where message_id is not null;
