-- Replaced by api_keys_by_secret and oauth_flows_by_state.
drop index api_keys_secret;
drop index oauth_flows_state;
