-- The id of the request that caused an event, so that an admin finds the attempt that an error page names.
alter table audit_events add column trace_id text;
