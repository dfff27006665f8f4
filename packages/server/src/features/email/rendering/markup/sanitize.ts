import sanitizeHtml, { type Attributes, type IOptions } from 'sanitize-html';
import { allowedElements, removedElements } from './elements.ts';
import { checkStructure } from './structure.ts';
import { allowedStyles, cleanStyleSheet } from './styles.ts';

const urlAttributes = ['href', 'src', 'cite', 'background', 'longdesc'];

const allowedAttributes = [
  ...['align', 'valign', 'width', 'height', 'bgcolor', 'border', 'bordercolor', 'cellpadding', 'cellspacing', 'clear'],
  ...['color', 'face', 'size', 'noshade', 'nowrap', 'colspan', 'rowspan', 'scope', 'headers', 'abbr', 'axis', 'span'],
  ...['style', 'class', 'id', 'title', 'dir', 'lang', 'role', 'aria-*', 'data-*', 'alt', 'hspace', 'vspace', 'summary'],
  ...['target', 'rel', 'name', 'datetime', 'start', 'type', 'value', 'reversed', ...urlAttributes],
];

/** Sizes are written twice, for mail programs without CSS. */
const options: IOptions = {
  allowedTags: [...allowedElements],
  allowedAttributes: { '*': allowedAttributes },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'sms', 'cid'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  allowedSchemesAppliedToAttributes: urlAttributes,
  allowedStyles: {
    '*': Object.fromEntries(Object.entries(allowedStyles).map(([name, values]) => [name, [...values]])),
  },
  nonTextTags: [...removedElements],
  // An image without alternative text has `alt=""`.
  nonBooleanAttributes: urlAttributes,
  transformTags: {
    image: 'img',
    '*': (tagName, attribs) => ({ tagName, attribs: withoutHarmfulUrls(tagName, attribs) }),
  },
};

/**
 * Converts HTML of an author to HTML that is safe inside an email: an allow list of elements, attributes, URL schemes
 * and styles; all elements closed. The stylesheets come first.
 *
 * @throws MarkupError with a message for the author
 */
export function sanitizeMarkup(markup: string): string {
  const styleSheets = checkStructure(markup).map(cleanStyleSheet);
  const styles = styleSheets.filter(css => css !== '').map(css => `<style>${css}</style>`);
  return styles.join('') + sanitizeHtml(markup, options);
}

/** A second check, stricter than the one of the library, which accepts all that a browser does not run. */
function withoutHarmfulUrls(element: string, attributes: Attributes): Attributes {
  const kept = Object.entries(attributes).filter(
    ([name, value]) =>
      !urlAttributes.includes(name) ||
      isHarmlessUrl(value) ||
      (element === 'img' && name === 'src' && pictureData.test(value.trim())),
  );
  return Object.fromEntries(kept);
}

const pictureData = /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=]*$/i;
const harmlessScheme = /^(?:https?|mailto|tel|sms|cid):/i;

/** A URL with a harmless scheme, or a relative URL whose first part no mail program could read as a scheme. */
function isHarmlessUrl(value: string): boolean {
  const url = value.trim();
  if (harmlessScheme.test(url)) return true;
  const [beginning = ''] = url.normalize('NFKC').split(/[/?#]/, 1);
  return !/[:&\p{Cc}\p{Cf}]/u.test(beginning);
}
