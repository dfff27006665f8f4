-- outside a transaction
-- Old activity is found by the primary key. This index found whole ranges of rows, more of them with each deletion.
drop index concurrently if exists events_by_time;
