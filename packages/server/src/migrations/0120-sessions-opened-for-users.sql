-- Whether a server or an admin opened the session, and not the user. Of earlier sessions this is not known: they count as the
-- user's own, which only sign-ins of the user end.
alter table sessions add column opened_for_user boolean not null default false;
