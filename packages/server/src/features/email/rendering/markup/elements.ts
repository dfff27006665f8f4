/** Elements of emails. Other elements are removed; their content stays. */
export const allowedElements: readonly string[] = [
  ...['a', 'abbr', 'acronym', 'address', 'article', 'aside', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br', 'caption'],
  ...['center', 'cite', 'code', 'col', 'colgroup', 'dd', 'del', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure'],
  ...['font', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main'],
  ...['mark', 'nav', 'ol', 'p', 'pre', 'q', 'rp', 'rt', 'ruby', 's', 'samp', 'section', 'small', 'span', 'strike'],
  ...['strong', 'sub', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var'],
  ...['wbr'],
];

/** Removed with their content: they run, load or hide something, or ask for input. */
export const removedElements: readonly string[] = [
  ...['script', 'iframe', 'object', 'applet', 'svg', 'math', 'template', 'frameset', 'noembed', 'noframes', 'title'],
  ...['textarea', 'select', 'option', 'xmp', 'audio', 'video', 'canvas', 'portal', 'style'],
];

/** Elements without content (HTML standard, 13.1.2), with obsolete ones. `plaintext` has no end tag. */
export const voidElements: ReadonlySet<string> = new Set([
  ...['area', 'base', 'basefont', 'bgsound', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'keygen', 'link'],
  ...['meta', 'param', 'plaintext', 'source', 'track', 'wbr'],
]);
