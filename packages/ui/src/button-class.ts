import { classNames } from './class-names.ts';
import { variants } from './variants.ts';

/**
 * The look of a button: one `primary` for what a page is about, `secondary` for other choices, `quiet` for what is seldom
 * wanted, `destructive` for what cannot be undone. `link` looks like a link in running text and has its size.
 */
type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'destructive' | 'link';

/** `md` and `icon` are 44 pixels high, `lg` is 48. `sm` is 36 with a hit area of 44. */
type ButtonSize = 'sm' | 'md' | 'lg' | 'icon';

const base = classNames(
  'tessera-button tss:relative tss:font-medium tss:cursor-pointer tss:touch-manipulation',
  'tss:transition-colors tss:motion-reduce:transition-none',
  'tss:disabled:cursor-not-allowed tss:disabled:opacity-50 tss:aria-busy:cursor-progress',
);

const boxed = variants(
  classNames(
    base,
    'tss:inline-flex tss:items-center tss:justify-center tss:gap-2 tss:align-middle tss:text-center tss:no-underline',
    'tss:select-none tss:rounded-md tss:border tss:[&_svg]:shrink-0',
  ),
  {
    variant: {
      primary:
        'tss:border-transparent tss:bg-primary tss:text-primary-foreground tss:elevation-button tss:hover:bg-primary-hover tss:active:bg-primary-active',
      secondary:
        'tss:border-edge tss:bg-card tss:text-card-foreground tss:elevation-button tss:hover:bg-accent tss:hover:text-accent-foreground',
      quiet: 'tss:border-transparent tss:hover:bg-accent tss:hover:text-accent-foreground',
      destructive:
        'tss:border-transparent tss:bg-destructive tss:text-destructive-foreground tss:elevation-button tss:hover:bg-destructive-hover',
    },
    size: {
      sm: 'tss:min-h-9 tss:px-3 tss:py-1 tss:text-sm tss:touch-area',
      md: 'tss:min-h-11 tss:px-button tss:py-2 tss:text-sm',
      lg: 'tss:min-h-12 tss:px-6 tss:py-2 tss:text-base',
      icon: 'tss:size-11 tss:p-0 tss:text-sm',
    },
  },
  { variant: 'primary', size: 'md' },
);

const link = classNames(
  base,
  'tss:rounded-sm tss:text-primary tss:underline tss:decoration-1 tss:underline-offset-4 tss:decoration-primary/40',
  'tss:hover:decoration-primary',
);

/** The classes of a button, for an `<a>` that looks like one. `className` comes last. */
function buttonClass(choice: { variant?: ButtonVariant; size?: ButtonSize } = {}, className?: string): string {
  const { variant, size } = choice;
  return variant === 'link' ? classNames(link, className) : boxed({ variant, size }, className);
}

export { type ButtonSize, type ButtonVariant, buttonClass };
