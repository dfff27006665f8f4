-- The time of the latest reauthentication in a session; null when there was none since the sign-in.
alter table sessions add column authenticated_at_millis bigint;
-- Salted hashes of the unused recovery codes. They exist only while the user has a TOTP secret.
alter table users add column recovery_code_hashes bytea[];
alter table users add column recovery_codes_created_at_millis bigint;
