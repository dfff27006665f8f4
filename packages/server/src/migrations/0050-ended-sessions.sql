-- Sessions that ended while an access token of theirs may still be valid: the source of the revocation feed
-- (docs/contract/decisions.md#revocation-feed). The rows have no foreign key, because their project may be deleted with
-- them. The transaction id makes a gap-free cursor: a reader that knows a snapshot finds what it did not see.
create table ended_sessions (
  project_id text not null,
  session_id uuid not null,
  -- by the clock of the database, which writes it
  ended_at timestamptz not null default clock_timestamp(),
  transaction_id xid8 not null default pg_current_xact_id(),
  primary key (project_id, session_id)
);

create index ended_sessions_by_transaction on ended_sessions (project_id, transaction_id);
create index ended_sessions_by_time on ended_sessions (ended_at);

-- A trigger, because sessions end in many ways: sign-out, a changed password, a deleted user, a stolen refresh token.
-- A session that expired a day ago has no valid access token.
create function record_ended_sessions() returns trigger language plpgsql as $$
begin
  insert into ended_sessions (project_id, session_id)
  select project_id, id from ended
  where expires_at_millis > (extract(epoch from clock_timestamp()) - 86400) * 1000
  on conflict do nothing;
  return null;
end
$$;

create trigger sessions_ended after delete on sessions
  referencing old table as ended for each statement execute function record_ended_sessions();
