-- outside a transaction
-- For the events of one IP address. The project is not in the index: a short index keeps inserts cheap, and equal addresses
-- share an entry.
create index concurrently if not exists audit_events_by_address on audit_events (address) where address is not null;
