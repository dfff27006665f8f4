/** The origin of a typed address; undefined for what is no web address or has a path. */
export function originOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const { protocol, origin, pathname, search, hash, username } = new URL(trimmed);
  const isPlain = pathname === '/' && search === '' && hash === '' && username === '';
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? origin : undefined;
}
