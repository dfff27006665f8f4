import type { ProjectConfig } from '../../../core/project-config.ts';
import type { FilledBlock } from '../templates/blocks.ts';
import { palette } from '../templates/palette.ts';

/** What frames an email of a built-in template. */
export interface Frame {
  readonly projectName: string;
  readonly senderAddress: string;
  readonly branding: ProjectConfig['branding'];
  /** For messages to users: their buttons have no second link, and most of them an unsubscribe link. */
  readonly message?: { readonly unsubscription?: Unsubscription | undefined };
}

/** The link that ends a category for its recipient. */
export interface Unsubscription {
  readonly url: string;
  readonly categoryName: string;
}

/** The colours of a button. */
export interface ButtonColors {
  readonly background: string;
  readonly text: string;
}

const black = '#18181b';
const white = '#ffffff';
const darkCard = palette.dark.card;

/** The button of the project's colour, with the text that has more contrast. */
export function buttonColors(color: string | undefined): ButtonColors {
  const background = color ?? black;
  return { background, text: contrast(background, white) >= contrast(background, black) ? white : black };
}

/** The lowest contrast at which a button is visible on its background. */
const visible = 2;

/** A button that the dark background would hide becomes a light one. */
export function darkButtonColors(color: string | undefined): ButtonColors {
  const button = buttonColors(color);
  return contrast(button.background, darkCard) >= visible ? button : { background: '#f4f4f5', text: black };
}

/** WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The lines of the footer: the sender, and where the sender is. */
export function footerLines({ projectName, senderAddress, branding }: Frame): string[] {
  const { postalAddress } = branding;
  return [`Sent by ${projectName} (${senderAddress})`, ...(postalAddress === undefined ? [] : [postalAddress])];
}

/** Gives the buttons of a built-in template the colour of the project. */
export function applyBranding(root: FilledBlock, { branding }: Pick<Frame, 'branding'>): FilledBlock {
  const children = root.children.map(column => column.map(child => applyBranding(child, { branding })));
  if (root.block.type !== 'Button') return { ...root, children };
  const { background, text } = buttonColors(branding.color);
  const { data } = root.block;
  const props = { ...data.props, buttonBackgroundColor: background, buttonTextColor: text };
  return { children, block: { ...root.block, data: { ...data, props } } };
}

/**
 * The class of a text colour of the built-in templates. The stylesheet of the email gives it the colour of dark mode; mail
 * programs without dark mode use the inline colour.
 */
export function colorClass(color: string | null | undefined): 't-quiet' | 't-ink' {
  return color === palette.light.quiet ? 't-quiet' : 't-ink';
}

/**
 * Dark mode and small screens. Outlook.com marks dark elements with `data-ogsc` and `data-ogsb` instead of the media
 * query.
 */
export function frameStyleSheet({ branding }: Frame): string {
  const { page, card, ink, quiet, line } = palette.dark;
  const button = darkButtonColors(branding.color);
  const rules = [
    ['.t-page', `background-color:${page} !important`],
    ['.t-card', `background-color:${card} !important;border-color:${line} !important`],
    ['.t-ink', `color:${ink} !important`],
    ['.t-quiet', `color:${quiet} !important`],
    ['.t-line', `border-color:${line} !important`],
    ['.t-logo', `background-color:${white} !important;padding:8px !important;border-radius:8px !important`],
    ['.t-button', `background-color:${button.background} !important;color:${button.text} !important`],
  ] as const;
  const dark = (prefix: string) => rules.map(([name, looks]) => `${prefix}${name} { ${looks} }`).join('\n');
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${dark('')}
}
${dark('[data-ogsc] ')}
@media (max-width: 480px) {
.t-outer { padding: 16px 8px !important }
.t-block { padding-left: 20px !important; padding-right: 20px !important }
}`;
}
