export { convertToText } from './plain-text.ts';
export { sanitizeMarkup } from './sanitize.ts';
