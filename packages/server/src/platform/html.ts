/** Safe markup: every value in it was escaped, or is safe markup itself. */
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

/** Text for HTML, inside attributes as well. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}

/**
 * Markup from a template. Values are escaped unless they are markup; lists are joined; `undefined` is an empty string.
 *
 * @example html`<p title="${title}">${paragraphs}</p>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(strings.map((part, index) => part + renderPiece(values[index])).join(''));
}

function renderPiece(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(renderPiece).join('');
  return escapeHtml(String(piece));
}
