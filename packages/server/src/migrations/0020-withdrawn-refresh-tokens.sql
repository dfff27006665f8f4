-- A successor that was replaced before it was used, because the token that it succeeds came back: its answer was lost.
-- Soon after that it may still arrive somewhere; later nobody can have it but somebody who should not.
alter table rotated_refresh_tokens add column is_withdrawn boolean not null default false;
