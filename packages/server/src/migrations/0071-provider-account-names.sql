-- The name that the account has at its provider, for the owner of the account. Null when the provider names none.
alter table oauth_accounts add column display_name text;
