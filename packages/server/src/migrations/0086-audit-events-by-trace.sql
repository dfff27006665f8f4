-- outside a transaction
-- For the events of one request. The project is not in the index: ids are random, and a short index keeps inserts cheap.
create index concurrently if not exists audit_events_by_trace on audit_events (trace_id) where trace_id is not null;
