import { compile, type HtmlToTextOptions } from 'html-to-text';

const paragraph = { leadingLineBreaks: 2, trailingLineBreaks: 2 };
const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const paragraphs = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'section', 'article', 'dl'];
const lines = ['div', 'dt', 'dd', 'tr', 'caption', 'center', 'header', 'footer', 'main', 'address', 'figure'];
const cells = ['td', 'th'];

/** The library has removed `mailto:`. Other targets, such as a place in the email, are of no use in a text. */
const usefulTarget = /^(?:https?:|tel:|[^\s:/?#]+@)/i;

const options: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    ...paragraphs.map(selector => ({ selector, format: 'block', options: paragraph })),
    ...lines.map(selector => ({ selector, format: 'block', options: line })),
    ...cells.map(selector => ({ selector, format: 'inlineSurround', options: { suffix: ' ' } })),
    { selector: 'ul', format: 'unorderedList', options: { itemPrefix: '- ', ...paragraph } },
    { selector: 'ol', format: 'orderedList', options: paragraph },
    { selector: 'hr', format: 'blockString', options: { string: '---', ...paragraph } },
    { selector: 'img', format: 'image', options: { pathRewrite: () => '' } },
    {
      selector: 'a',
      format: 'anchor',
      options: {
        linkBrackets: ['(', ')'],
        hideLinkHrefIfSameAsText: true,
        pathRewrite: (target: string) => (usefulTarget.test(target) ? target : ''),
      },
    },
    { selector: 'style', format: 'skip' },
  ],
};

const convert = compile(options);

/** Converts sanitized HTML to plain text: paragraphs, links with their URL, images as their alternative text. */
export function convertToText(markup: string): string {
  const lines = convert(markup).replaceAll('\u00a0', ' ').split('\n');
  return lines.map(line => line.trimEnd()).join('\n');
}
