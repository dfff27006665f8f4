-- What the owner of an account sees of a passkey. Null for passkeys that were registered before.
-- The model of the authenticator: the AAGUID of its registration (WebAuthn Level 3, 6.5.1).
alter table passkeys add column aaguid uuid;
-- The user agent of the registration.
alter table passkeys add column user_agent text;
-- Given by the owner.
alter table passkeys add column name text;
