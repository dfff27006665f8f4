import { Html, html } from '../../../platform/html.ts';
import type { FilledBlock } from '../templates/blocks.ts';
import { imageSource, linkTarget, withMarkdownLinks } from '../templates/links.ts';
import { palette } from '../templates/palette.ts';
import type { BlockOf } from './content.ts';
import { colorClass, type Frame, footerLines, frameStyleSheet } from './look.ts';

const fonts = {
  MODERN_SANS: '"Helvetica Neue", "Arial Nova", "Nimbus Sans", Arial, sans-serif',
  BOOK_SANS: 'Optima, Candara, "Noto Sans", source-sans-pro, sans-serif',
  ORGANIC_SANS: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  GEOMETRIC_SANS: 'Avenir, "Avenir Next LT Pro", Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  HEAVY_SANS: 'Bahnschrift, "DIN Alternate", "Franklin Gothic Medium", "Nimbus Sans Narrow", sans-serif-condensed',
  ROUNDED_SANS: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, Calibri, sans-serif',
  MODERN_SERIF: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif',
  BOOK_SERIF: '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, serif',
  MONOSPACE: '"Nimbus Mono PS", "Courier New", "Cutive Mono", monospace',
} as const;

const headingSizes = { h1: 32, h2: 24, h3: 20 } as const;
const buttonSizes = { 'x-small': [4, 8], small: [8, 12], medium: [12, 20], large: [16, 32] } as const;
const buttonRadius = { rectangle: 0, rounded: 6, pill: 64 } as const;

/** Attributes of a layout table. */
const bare = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/** Keeps message lists from showing the words after the preview text. */
const previewEnd = new Html('&#847;&zwnj;&nbsp;'.repeat(40));

interface Envelope {
  readonly subject: string;
  /** Shown after the subject in message lists. */
  readonly preview: string;
  /** For built-in templates. An own template of a project decides everything itself. */
  readonly frame?: Frame | undefined;
}

/** The HTML part, with tables and inline styles for mail programs. */
export function asHtml(root: FilledBlock, { subject, preview, frame }: Envelope): string {
  const layout = root.block.type === 'EmailLayout' ? root.block.data : {};
  const body = root.block.type === 'EmailLayout' ? root.children.flat().map(part) : part(root);
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
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${frame === undefined ? html`<meta name="color-scheme" content="light">` : darkModeHead(frame)}
<title>${subject}</title>
</head>
<body class="t-page" style="margin:0;padding:0;background-color:${backdrop};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preview}${frame && previewEnd}</div>
<table ${bare} width="100%" class="t-page" style="background-color:${backdrop}"><tr><td class="t-outer" style="padding:32px 12px">
${frame && header(frame)}<table ${bare} align="center" width="100%" class="t-card" style="${canvas}"><tr><td style="padding:24px 0;${text}">
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
function header({ projectName, branding }: Frame): Html {
  const source = imageSource(branding.logoUrl);
  const name = style({ color: palette.light.ink, 'font-size': '16px', 'font-weight': 'bold' });
  const picture = style({ 'max-height': '40px', 'max-width': '240px', border: '0', 'vertical-align': 'middle' });
  const mark =
    source === undefined
      ? html`<span class="t-ink" style="${name}">${projectName}</span>`
      : html`<img class="t-logo" src="${source}" alt="${projectName}" height="40" style="${picture}">`;
  const cell = style({ padding: '0 32px 20px', 'font-family': fonts.MODERN_SANS });
  return html`<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td class="t-block" style="${cell}">${mark}</td></tr></table>
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
  return html`<table ${bare} align="center" width="100%" style="max-width:600px;margin:0 auto"><tr><td class="t-quiet t-block" style="${looks}">${footerLines(frame).join('\n')}${unsubscribeLink(frame)}</td></tr></table>
`;
}

function unsubscribeLink({ message }: Frame): Html | undefined {
  const link = message?.unsubscription;
  if (link === undefined) return undefined;
  return html`
<a class="t-quiet" href="${link.url}" target="_blank" style="color:${palette.light.quiet}">Unsubscribe from ${link.categoryName}</a>`;
}

function part({ block, children }: FilledBlock): Html {
  switch (block.type) {
    // A nested layout is rendered as a group of blocks.
    case 'EmailLayout':
      return html`${children.flat().map(part)}`;
    case 'Container':
      return container(block, children.flat().map(part));
    case 'ColumnsContainer':
      return columns(
        block,
        children.map(column => html`${column.map(part)}`),
      );
    case 'Heading':
      return heading(block);
    case 'Text':
      return paragraph(block);
    case 'Button':
      return button(block);
    case 'Image':
      return image(block);
    case 'Divider':
      return divider(block);
    case 'Spacer':
      return html`<div style="height:${px(block.data.props?.height ?? 16)};line-height:1px">&#8202;</div>\n`;
  }
}

function container({ data }: BlockOf<'Container'>, inside: Html[]): Html {
  const { style: looks } = data;
  const box = style({
    'background-color': looks?.backgroundColor,
    border: looks?.borderColor && `1px solid ${looks.borderColor}`,
    'border-radius': looks?.borderRadius && px(looks.borderRadius),
    padding: padding(looks?.padding, 0),
  });
  return html`<div style="${box}">${inside}</div>\n`;
}

function columns({ data }: BlockOf<'ColumnsContainer'>, inside: Html[]): Html {
  const { props, style: looks } = data;
  const gap = px((props?.columnsGap ?? 0) / 2);
  const box = style({ 'background-color': looks?.backgroundColor, padding: padding(looks?.padding, 0) });
  const cells = inside.map((column, index) => {
    const width = props?.fixedWidths?.[index];
    const cell = style({
      width: width == null ? `${Math.floor(100 / inside.length)}%` : px(width),
      'vertical-align': props?.contentAlignment ?? 'middle',
      padding: `0 ${index === inside.length - 1 ? '0px' : gap} 0 ${index === 0 ? '0px' : gap}`,
    });
    return html`<td style="${cell}">${column}</td>`;
  });
  return html`<div style="${box}"><table ${bare} width="100%"><tr>${cells}</tr></table></div>\n`;
}

function heading({ data }: BlockOf<'Heading'>): Html {
  const level = data.props?.level ?? 'h2';
  const looks = style({
    margin: '0',
    'font-size': `${headingSizes[level]}px`,
    'line-height': '1.25',
    ...textLooks(data.style, 'bold'),
  });
  const text = data.props?.text ?? '';
  const attributes = html`class="t-ink t-block" style="${looks}"`;
  if (level === 'h1') return html`<h1 ${attributes}>${text}</h1>\n`;
  return level === 'h2' ? html`<h2 ${attributes}>${text}</h2>\n` : html`<h3 ${attributes}>${text}</h3>\n`;
}

function paragraph({ data }: BlockOf<'Text'>): Html {
  const { style: looks, props } = data;
  const fontSize = looks?.fontSize ?? 16;
  const box = style({
    margin: '0',
    'font-size': px(fontSize),
    'white-space': 'pre-line',
    ...textLooks(looks, 'normal'),
  });
  const inside = withMarkdownLinks(props?.text ?? '').map(piece =>
    typeof piece === 'string' ? html`${piece}` : html`<a href="${piece.url}" target="_blank">${piece.label}</a>`,
  );
  return html`<p class="${colorClass(looks?.color)} t-block" style="${box}">${inside}</p>\n`;
}

function button({ data }: BlockOf<'Button'>): Html {
  const { props, style: looks } = data;
  const [vertical, horizontal] = buttonSizes[props?.size ?? 'medium'];
  const color = props?.buttonBackgroundColor ?? '#171717';
  const radius = `${buttonRadius[props?.buttonStyle ?? 'rounded']}px`;
  const isFull = props?.fullWidth === true;
  const box = style({
    'background-color': looks?.backgroundColor,
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  });
  const face = style({
    display: isFull ? 'block' : 'inline-block',
    padding: `${vertical}px ${horizontal}px`,
    'background-color': color,
    color: props?.buttonTextColor ?? '#ffffff',
    'border-radius': radius,
    'font-size': px(looks?.fontSize ?? 16),
    'font-family': looks?.fontFamily && fonts[looks.fontFamily],
    'font-weight': looks?.fontWeight ?? 'bold',
    'text-align': isFull ? 'center' : undefined,
    'text-decoration': 'none',
  });
  const label = props?.text ?? '';
  const target = linkTarget(props?.url);
  // Outlook uses the width of the cell and ignores the padding of a link.
  const width = isFull ? html` width="100%"` : undefined;
  const align = looks?.textAlign ?? 'left';
  const inside =
    target === undefined
      ? html`<span class="t-button" style="${face}">${label}</span>`
      : html`<a class="t-button" href="${target}" target="_blank" style="${face}">${label}</a>`;
  return html`<div class="t-block" style="${box}"><table ${bare} align="${align}"${width}><tr><td class="t-button" bgcolor="${color}" style="border-radius:${radius}">${inside}</td></tr></table><div style="clear:both"></div></div>\n`;
}

function image({ data }: BlockOf<'Image'>): Html {
  const { props, style: looks } = data;
  const source = imageSource(props?.url);
  if (source === undefined) return html``;
  const box = style({
    'background-color': looks?.backgroundColor,
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  });
  const face = style({
    width: props?.width && px(props.width),
    height: props?.height && px(props.height),
    'max-width': '100%',
    border: '0',
    'vertical-align': props?.contentAlignment,
  });
  const picture = html`<img src="${source}" alt="${props?.alt ?? ''}" style="${face}">`;
  const target = linkTarget(props?.linkHref);
  const inside = target === undefined ? picture : html`<a href="${target}" target="_blank">${picture}</a>`;
  return html`<div style="${box}">${inside}</div>\n`;
}

function divider({ data }: BlockOf<'Divider'>): Html {
  const { props, style: looks } = data;
  const box = style({ 'background-color': looks?.backgroundColor, padding: padding(looks?.padding) });
  const line = style({
    width: '100%',
    margin: '0',
    border: '0',
    'border-top': `${px(props?.lineHeight ?? 1)} solid ${props?.lineColor ?? '#e5e5e5'}`,
  });
  return html`<div class="t-block" style="${box}"><hr class="t-line" style="${line}"></div>\n`;
}

interface TextStyle {
  readonly color?: string | null;
  readonly backgroundColor?: string | null;
  readonly fontFamily?: keyof typeof fonts | null;
  readonly fontWeight?: 'bold' | 'normal' | null;
  readonly textAlign?: 'left' | 'center' | 'right' | null;
  readonly padding?: Padding | null;
}

function textLooks(looks: TextStyle | null | undefined, weight: 'bold' | 'normal'): Styles {
  return {
    color: looks?.color,
    'background-color': looks?.backgroundColor,
    'font-family': looks?.fontFamily && fonts[looks.fontFamily],
    'font-weight': looks?.fontWeight ?? weight,
    'text-align': looks?.textAlign,
    padding: padding(looks?.padding),
  };
}

interface Padding {
  readonly top?: number | null;
  readonly bottom?: number | null;
  readonly left?: number | null;
  readonly right?: number | null;
}

/** Blocks without padding settings get a default padding. */
function padding(given: Padding | null | undefined, otherwise = 24): string {
  if (given == null) return otherwise === 0 ? '0' : `8px ${otherwise}px`;
  return [given.top, given.right, given.bottom, given.left].map(side => px(side ?? 0)).join(' ');
}

const maxPixels = 10_000;

/** Bounds a length of a template to what an email can show. */
function px(length: number): string {
  return `${Math.min(Math.max(length, 0), maxPixels)}px`;
}

type Styles = Readonly<Record<string, string | 0 | null | undefined | ''>>;

function style(styles: Styles): string {
  return Object.entries(styles)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== 0)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}
