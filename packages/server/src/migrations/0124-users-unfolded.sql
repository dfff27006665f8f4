-- outside a transaction
-- Users whose text of the search column has accents and no copy without them, which stands before an empty line. A job
-- writes it, so the index is empty soon. The characters are those below U+2000 and the marks of Japanese: the others have
-- no accents.
create index concurrently if not exists users_unfolded on users (project_id, id)
  where search ~ '[\u0080-\u1fff\u3099\u309a]' and position(repeat(chr(10), 2) in search) = 0;
