-- Tokens that a provider issued to a client of the installation are not stored any more, and those from before must not
-- become readable when a project replaces the shared keys by keys of its own.
delete from oauth_tokens t using projects p
where p.id = t.project_id and exists (
  select from jsonb_array_elements(coalesce(p.config::jsonb -> 'oauthProviders', '[]')) provider
  where provider ->> 'id' = t.provider_id and provider ->> 'type' = 'shared'
);
