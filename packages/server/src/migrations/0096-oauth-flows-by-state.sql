-- outside a transaction
-- A provider sends back the state and nothing else of ours. The primary key makes it unique in a project.
create index concurrently if not exists oauth_flows_by_state on oauth_flows (state_hash);
