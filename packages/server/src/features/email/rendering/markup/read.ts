import type { Element, MarkupNode } from './tree.ts';
import { withoutEntities } from './written.ts';

/** Block elements with an empty line around them. */
const paragraphs: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'section', 'article'],
]);
const lines: ReadonlySet<string> = new Set([
  ...['div', 'li', 'dt', 'dd', 'tr', 'caption', 'center', 'header', 'footer', 'main', 'address', 'figure'],
]);

/** Converts the tree to plain text: paragraphs, links with their URL, images as their alternative text. */
export function readMarkup(nodes: readonly MarkupNode[]): string {
  return inside(nodes)
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function inside(nodes: readonly MarkupNode[]): string {
  return nodes.map(node => (typeof node === 'string' ? ofText(node) : ofElement(node))).join('');
}

function ofText(text: string): string {
  return withoutEntities(text).replace(/\s+/gu, ' ');
}

function ofElement(element: Element): string {
  const { name, attributes, children } = element;
  switch (name) {
    case 'style':
      return '';
    case 'br':
      return '\n';
    case 'hr':
      return '\n\n---\n\n';
    case 'img':
      return withoutEntities(attributes.get('alt') ?? '');
    case 'a':
      return ofLink(element);
    case 'td':
    case 'th':
      return ` ${inside(children)} `;
    case 'li':
      return `\n- ${inside(children).trim()}\n`;
    default: {
      const around = paragraphs.has(name) ? '\n\n' : lines.has(name) ? '\n' : '';
      return around + inside(children) + around;
    }
  }
}

function ofLink({ attributes, children }: Element): string {
  const label = inside(children).trim();
  const target = withoutEntities(attributes.get('href') ?? '').trim();
  if (!/^(?:https?|mailto|tel):/i.test(target) || target === label) return label;
  return label === '' ? target : `${label} (${target})`;
}
