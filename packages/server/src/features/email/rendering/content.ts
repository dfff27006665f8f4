import type { Json } from '@tessera/protocol';
import * as z from 'zod';

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/)
  .nullish();
/** Extreme numbers are stored as sent; rendering bounds them. */
const number = z.number().nullish();
const size = z.number().min(0).nullish();
const text = z.string().nullish();
const childrenIds = z.array(z.string()).nullish();
const padding = z.looseObject({ top: number, bottom: number, left: number, right: number }).nullish();
const fontFamily = z
  .enum([
    'MODERN_SANS',
    'BOOK_SANS',
    'ORGANIC_SANS',
    'GEOMETRIC_SANS',
    'HEAVY_SANS',
    'ROUNDED_SANS',
    'MODERN_SERIF',
    'BOOK_SERIF',
    'MONOSPACE',
  ])
  .nullish();
const textAlign = z.enum(['left', 'center', 'right']).nullish();

const textStyle = {
  color,
  backgroundColor: color,
  fontFamily,
  fontWeight: z.enum(['bold', 'normal']).nullish(),
  textAlign,
  padding,
};
const boxStyle = { backgroundColor: color, padding };

function block<Name extends string, Data extends z.ZodRawShape>(type: Name, data: Data) {
  return z.looseObject({ type: z.literal(type), data: z.looseObject(data) });
}

const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).nullish();

/**
 * One block of an email (docs/contract/emails-webhooks-metrics.md#email-templates). Unknown keys are kept.
 */
const mailBlock = z.discriminatedUnion('type', [
  block('EmailLayout', { backdropColor: color, canvasColor: color, textColor: color, fontFamily, childrenIds }),
  block('Container', {
    style: part({ ...boxStyle, borderColor: color, borderRadius: number }),
    props: part({ childrenIds }),
  }),
  block('ColumnsContainer', {
    style: part(boxStyle),
    props: part({
      columns: z.array(z.looseObject({ childrenIds })).length(3).nullish(),
      columnsCount: z.union([z.literal(2), z.literal(3)]).nullish(),
      columnsGap: number,
      contentAlignment: z.enum(['top', 'middle', 'bottom']).nullish(),
      fixedWidths: z.array(number).length(3).nullish(),
    }),
  }),
  block('Heading', { props: part({ text, level: z.enum(['h1', 'h2', 'h3']).nullish() }), style: part(textStyle) }),
  block('Text', { props: part({ text }), style: part({ ...textStyle, fontSize: size }) }),
  block('Button', {
    props: part({
      text,
      url: text,
      buttonBackgroundColor: color,
      buttonTextColor: color,
      buttonStyle: z.enum(['rectangle', 'pill', 'rounded']).nullish(),
      size: z.enum(['x-small', 'small', 'medium', 'large']).nullish(),
      fullWidth: z.boolean().nullish(),
    }),
    style: part({ ...textStyle, fontSize: size }),
  }),
  block('Image', {
    props: part({
      url: text,
      alt: text,
      linkHref: text,
      width: number,
      height: number,
      contentAlignment: z.enum(['top', 'middle', 'bottom']).nullish(),
    }),
    style: part({ ...boxStyle, textAlign }),
  }),
  block('Divider', { props: part({ lineColor: color, lineHeight: number }), style: part(boxStyle) }),
  block('Spacer', { props: part({ height: size }) }),
]);

/**
 * Parses the content of a template: an email as blocks by id. Undefined when a block is invalid. Values without blocks
 * (`{}`, `[]`, numbers) are valid. A missing `root` is detected when the email is rendered.
 */
export function mailContentOf(value: Json): MailContent | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0 ? {} : undefined;
  if (value === null) return undefined;
  const blocks = Object.entries(value).map(([id, block]) => [id, mailBlock.safeParse(block).data] as const);
  const isComplete = blocks.every((entry): entry is [string, MailBlock] => entry[1] !== undefined);
  return isComplete ? Object.fromEntries(blocks) : undefined;
}

export type MailBlock = z.infer<typeof mailBlock>;
export type MailContent = Readonly<Record<string, MailBlock>>;
export type BlockOf<Name extends MailBlock['type']> = Extract<MailBlock, { type: Name }>;
