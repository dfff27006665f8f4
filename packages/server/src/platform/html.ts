/** Markup that is safe to send: everything that was put into it is escaped, or markup itself. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | undefined | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, inside an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}

/**
 * Markup from a template. Values are escaped, unless they are markup themselves; lists are joined, `undefined` is nothing.
 *
 * @example html`<p title="${title}">${paragraphs}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(strings.map((part, index) => part + written(values[index])).join(''));
}

function written(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(written).join('');
  return escapeHtml(String(piece));
}
