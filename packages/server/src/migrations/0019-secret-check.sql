-- A known text, encrypted: whether a process has the secret that everything here is encrypted under.
alter table installation add column secret_check bytea;
