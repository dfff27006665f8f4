-- outside a transaction
-- The import looks for users by their primary address, also where the address does not sign in.
create index concurrently if not exists contact_channels_plain_primary on contact_channels (project_id, value)
  where is_primary and not used_for_auth;
