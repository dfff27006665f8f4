-- The last use of any key of a set, to the minute. Null: not used since this column exists.
alter table api_key_sets add column last_used_at_millis bigint;
