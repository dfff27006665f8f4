-- The program that opened a session, for the list of devices. Unknown for the sessions of earlier versions.
alter table sessions add column user_agent text;
