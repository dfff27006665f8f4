-- Null: the key has no limit. Scopes never change after the creation of the key.
alter table api_keys add column scopes text[];
