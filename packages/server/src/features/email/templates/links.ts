/** A part of a text: plain, or a Markdown link. */
export type Piece = string | { readonly label: string; readonly url: string };

const markdownLink = /\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000}|mailto:[^\s()]{1,500})\)/g;

export function withMarkdownLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(markdownLink)) {
    const [all, label = '', url = ''] = match;
    pieces.push(text.slice(end, match.index), { label, url });
    end = match.index + all.length;
  }
  pieces.push(text.slice(end));
  return pieces.filter(piece => piece !== '');
}

const runsByItself = /^\s*(?:javascript|vbscript|data|file|blob):/i;

/** A URL that a link in an email may have; undefined for a scheme that runs code or opens a program. */
export function linkTarget(url: string | null | undefined): string | undefined {
  if (url == null || url.trim() === '') return undefined;
  return runsByItself.test(url.replace(/[\p{Cc}\p{Cf}]/gu, '')) ? undefined : url;
}

/** A URL that an image may be loaded from. */
export function imageSource(url: string | null | undefined): string | undefined {
  return url != null && /^https?:\/\//i.test(url) ? url : undefined;
}
