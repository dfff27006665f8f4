import { Html, html } from '../../../platform/html.ts';
import type { FilledBlock } from '../templates/blocks.ts';
import { imageSource, linkTarget } from '../templates/links.ts';
import { palette } from '../templates/palette.ts';
import type { Direction } from './direction.ts';
import { blockAsHtml } from './html-blocks.ts';
import { bare, fonts, style, undeterminedLanguage } from './html-style.ts';
import { type Frame, footerLines, frameStyleSheet } from './look.ts';

/** Keeps message lists from showing the words after the preview text. */
const previewEnd = new Html('&#847;&zwnj;&nbsp;'.repeat(40));

interface Envelope {
  readonly subject: string;
  /** Shown after the subject in message lists. */
  readonly preview: string;
  /** The frame of a built-in template. A template of the project itself has none. */
  readonly frame?: Frame | undefined;
  /** The direction of a text of the project; undefined for a built-in template. */
  readonly direction?: Direction | undefined;
}

/** The HTML part, with tables and inline styles for mail programs. */
export function asHtml(root: FilledBlock, { subject, preview, frame, direction }: Envelope): string {
  const layout = root.block.type === 'EmailLayout' ? root.block.data : {};
  const body =
    root.block.type === 'EmailLayout' ? root.children.flat().map(child => blockAsHtml(child)) : blockAsHtml(root);
  const text = style({
    color: layout.textColor ?? '#242424',
    'font-family': fonts[layout.fontFamily ?? 'MODERN_SANS'],
    'font-size': '16px',
    'line-height': '1.5',
  });
  const backdrop = layout.backdropColor ?? '#f5f5f5';
  const canvas = style({
    'background-color': layout.canvasColor ?? '#ffffff',
    'max-width': '600px',
    margin: '0 auto',
    ...(frame && { border: `1px solid ${palette.light.line}`, 'border-radius': '12px', 'border-collapse': 'separate' }),
  });
  // Mail programs remove the element `html`.
  const towards = direction === 'rtl' ? html` dir="rtl"` : undefined;
  return html`<!doctype html>
<html lang="${direction === undefined ? 'en' : undeterminedLanguage}" dir="${direction ?? 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${frame === undefined ? html`<meta name="color-scheme" content="light">` : darkModeHead(frame)}
<title>${subject}</title>
</head>
<body class="t-page" style="margin:0;padding:0;background-color:${backdrop};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preview}${frame && previewEnd}</div>
<table ${bare} width="100%" class="t-page" style="background-color:${backdrop}"><tr><td class="t-outer" style="padding:32px 12px;word-break:break-word">
${frame && header(frame, towards)}<table ${bare} align="center" width="100%" class="t-card" style="${canvas}"><tr><td${towards} style="padding:24px 0;${text}">
${body}${frame && frame.message === undefined ? fallbackLinks(root) : undefined}
</td></tr></table>
${frame && footer(frame)}</td></tr></table>
</body>
</html>
`.text;
}

function darkModeHead(frame: Frame): Html {
  return html`<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>
${new Html(frameStyleSheet(frame))}
</style>`;
}

/** The logo of the project, or its name. */
function header({ projectName, branding }: Frame, towards: Html | undefined): Html {
  const source = imageSource(branding.logoUrl);
  const name = style({ color: palette.light.ink, 'font-size': '16px', 'font-weight': 'bold' });
  // Outlook only reads the attribute `height`. In the other programs `auto` keeps the proportions of a wide logo.
  const size = { height: 'auto', width: 'auto', 'max-height': '40px', 'max-width': '240px' };
  const picture = style({ ...size, border: '0', 'vertical-align': 'middle' });
  const mark =
    source === undefined
      ? html`<span class="t-ink" style="${name}">${projectName}</span>`
      : html`<img class="t-logo" src="${source}" alt="${projectName}" height="40" style="${picture}">`;
  const cell = style({ padding: '0 32px 20px', 'font-family': fonts.MODERN_SANS });
  return html`<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td${towards} class="t-block" style="${cell}">${mark}</td></tr></table>
`;
}

/** The targets of all buttons, for mail programs that show none. */
function fallbackLinks(root: FilledBlock): Html {
  const looks = style({ margin: '0', padding: '4px 32px 8px', 'font-size': '14px', color: palette.light.quiet });
  const links = buttonTargets(root).map(
    target =>
      html`<p class="t-quiet t-block" style="${looks}">If the button does not work, open this link in your browser:<br><a class="t-quiet" href="${target}" target="_blank" style="color:${palette.light.quiet};word-break:break-all">${target}</a></p>\n`,
  );
  return html`${links}`;
}

function buttonTargets({ block, children }: FilledBlock): string[] {
  if (block.type !== 'Button') return children.flat().flatMap(buttonTargets);
  const target = linkTarget(block.data.props?.url);
  return target === undefined ? [] : [target];
}

function footer(frame: Frame): Html {
  const looks = style({
    padding: '20px 32px 0',
    color: palette.light.quiet,
    'font-family': fonts.MODERN_SANS,
    'font-size': '13px',
    'line-height': '1.5',
    'white-space': 'pre-line',
  });
  return html`<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td dir="ltr" class="t-quiet t-block" style="${looks}">${footerLines(frame).join('\n')}${unsubscribeLink(frame)}</td></tr></table>
`;
}

function unsubscribeLink({ message }: Frame): Html | undefined {
  const link = message?.unsubscription;
  if (link === undefined) return undefined;
  return html`
<a class="t-quiet" href="${link.url}" target="_blank" style="color:${palette.light.quiet}">Unsubscribe from ${link.categoryName}</a>`;
}
