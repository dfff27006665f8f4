-- An unsubscribe link names nothing but its code, so this one kind is found without the project.
create index one_time_codes_unsubscribe on one_time_codes (code_hash) where kind = 'unsubscribe';
