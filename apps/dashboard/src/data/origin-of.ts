/** The origin of a typed address; undefined for a text that is not a web address, and for an address with a path. */
export function originOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const { protocol, origin, pathname, search, hash, username } = new URL(trimmed);
  const isPlain = pathname === '/' && search === '' && hash === '' && username === '';
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? origin : undefined;
}
