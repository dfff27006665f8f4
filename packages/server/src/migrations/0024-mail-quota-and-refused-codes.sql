-- Whether an email counts in the mail quota of its project, and waits in the queue while the quota is used up.
alter table mails add column counts_in_quota boolean not null default false;

-- An update has switched sign-in by code off; false while no update has touched it.
alter table users add column otp_auth_refused boolean not null default false;
