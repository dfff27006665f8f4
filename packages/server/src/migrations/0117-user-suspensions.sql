-- Both are null for a user who may sign in.
alter table users add column suspended_at_millis bigint, add column suspension_reason text;
