-- outside a transaction
-- For the search in the team list, without regard to accents.
create index concurrently if not exists teams_search_folded on teams using gin ((
  translate(replace(replace(replace(replace(
    normalize(regexp_replace(lower(normalize(display_name, NFD)), '[\u0300-\u036f]', '', 'g')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđðłıς', 'oddliσ')
) gin_trgm_ops);
