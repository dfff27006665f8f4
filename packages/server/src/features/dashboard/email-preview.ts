import { createHash } from 'node:crypto';
import { htmlType } from '../../http/response/content-types.ts';

/**
 * Shows the HTML that the dashboard sends to it. An email has inline styles, which the policy of the dashboard forbids,
 * also in a `srcdoc` frame. This page has a policy of its own: inline styles and images, one script, and an origin that
 * is equal to no other. The script decides which branch of a dark-mode media query applies, and no link leads anywhere.
 */
const script = `
addEventListener('message', event => {
  if (event.source !== parent || typeof event.data?.html !== 'string') return;
  const { html, isDark } = event.data;
  const email = new DOMParser().parseFromString(html, 'text/html');
  for (const dropped of email.querySelectorAll('script, base, meta[http-equiv]')) dropped.remove();
  document.replaceChild(document.adoptNode(email.documentElement), document.documentElement);
  document.documentElement.style.colorScheme = isDark ? 'dark light' : 'light';
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSMediaRule) || !rule.media.mediaText.includes('prefers-color-scheme')) continue;
      const isDarkRule = rule.media.mediaText.includes('dark');
      rule.media.mediaText = isDarkRule === isDark ? 'all' : 'not all';
    }
  }
});
addEventListener('click', event => event.preventDefault(), true);
addEventListener('submit', event => event.preventDefault(), true);
parent.postMessage('email-preview-ready', '*');
`;

export const emailPreviewPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Email preview</title>
<script>${script}</script>
</head>
<body></body>
</html>
`;

const scriptHash = createHash('sha256').update(script).digest('base64');

const contentPolicy = [
  `default-src 'none'`,
  `script-src 'sha256-${scriptHash}'`,
  `style-src 'unsafe-inline'`,
  'img-src https: http: data:',
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'self'`,
  'sandbox allow-scripts',
].join('; ');

export function emailPreviewHeaders(common: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...common,
    'content-type': htmlType,
    'content-security-policy': contentPolicy,
    'referrer-policy': 'no-referrer',
  };
}
