import * as z from 'zod';

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/)
  .nullish();
const size = z.number().min(0).max(10_000).nullish();
const text = z.string().nullish();
const childrenIds = z.array(z.string()).nullish();
const padding = z.looseObject({ top: size, bottom: size, left: size, right: size }).nullish();
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

/** One block of a mail (emails-webhooks-metrics.md 1). Keys that are not listed are kept. */
export const mailBlock = z.discriminatedUnion('type', [
  block('EmailLayout', { backdropColor: color, canvasColor: color, textColor: color, fontFamily, childrenIds }),
  block('Container', {
    style: part({ ...boxStyle, borderColor: color, borderRadius: size }),
    props: part({ childrenIds }),
  }),
  block('ColumnsContainer', {
    style: part(boxStyle),
    props: part({
      columns: z.array(z.looseObject({ childrenIds })).length(3).nullish(),
      columnsCount: z.union([z.literal(2), z.literal(3)]).nullish(),
      columnsGap: size,
      contentAlignment: z.enum(['top', 'middle', 'bottom']).nullish(),
      fixedWidths: z.array(size).length(3).nullish(),
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
      width: size,
      height: size,
      contentAlignment: z.enum(['top', 'middle', 'bottom']).nullish(),
    }),
    style: part({ ...boxStyle, textAlign }),
  }),
  block('Divider', { props: part({ lineColor: color, lineHeight: size }), style: part(boxStyle) }),
  block('Spacer', { props: part({ height: size }) }),
]);

/** A mail as blocks by id; the one called `root` is the entry. */
export const mailContent = z.record(z.string(), mailBlock);

export type MailBlock = z.infer<typeof mailBlock>;
export type MailContent = Readonly<Record<string, MailBlock>>;
export type BlockOf<Name extends MailBlock['type']> = Extract<MailBlock, { type: Name }>;
