-- Address and country of a use of a session, as trusted proxies report them. `data` has what the caller stated.
alter table events add column address text, add column country_code text;
