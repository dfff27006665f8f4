-- The code exchange, and no longer the callback, writes users and provider links.

-- Null when the exchange is going to create the user.
alter table oauth_authorization_codes alter column user_id drop not null;
-- What the provider gave, encrypted: profile and tokens, with the purpose of the flow. Erased when the code is used.
alter table oauth_authorization_codes add column provider_sign_in bytea;
create index oauth_authorization_codes_unused on oauth_authorization_codes (created_at_millis)
  where used_at_millis is null;
