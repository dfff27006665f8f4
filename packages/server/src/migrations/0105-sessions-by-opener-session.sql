-- outside a transaction
-- For the impersonations that end with the session of the person who opened them, in any project.
create index concurrently if not exists sessions_by_opener_session on sessions (opener_session_id)
  where opener_session_id is not null;
