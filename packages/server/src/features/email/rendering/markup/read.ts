import type { Element, MarkupNode } from './tree.ts';
import { decodeEntities } from './written.ts';

/** Block elements with an empty line around them. */
const paragraphs: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'section', 'article'],
]);
const lines: ReadonlySet<string> = new Set([
  ...['div', 'li', 'dt', 'dd', 'tr', 'caption', 'center', 'header', 'footer', 'main', 'address', 'figure'],
]);

/** Converts the tree to plain text: paragraphs, links with their URL, images as their alternative text. */
export function convertToText(nodes: readonly MarkupNode[]): string {
  return textOfNodes(nodes)
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function textOfNodes(nodes: readonly MarkupNode[]): string {
  return nodes.map(node => (typeof node === 'string' ? textOfText(node) : textOfElement(node))).join('');
}

function textOfText(text: string): string {
  return decodeEntities(text).replace(/\s+/gu, ' ');
}

function textOfElement(element: Element): string {
  const { name, attributes, children } = element;
  switch (name) {
    case 'style':
      return '';
    case 'br':
      return '\n';
    case 'hr':
      return '\n\n---\n\n';
    case 'img':
      return decodeEntities(attributes.get('alt') ?? '');
    case 'a':
      return textOfLink(element);
    case 'td':
    case 'th':
      return ` ${textOfNodes(children)} `;
    case 'li':
      return `\n- ${textOfNodes(children).trim()}\n`;
    default: {
      const around = paragraphs.has(name) ? '\n\n' : lines.has(name) ? '\n' : '';
      return around + textOfNodes(children) + around;
    }
  }
}

function textOfLink({ attributes, children }: Element): string {
  const label = textOfNodes(children).trim();
  const target = decodeEntities(attributes.get('href') ?? '').trim();
  if (!/^(?:https?|mailto|tel):/i.test(target) || target === label) return label;
  return label === '' ? target : `${label} (${target})`;
}
