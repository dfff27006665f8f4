import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from './class-names.ts';
import { variants } from './variants.ts';

type BadgeProps = ComponentPropsWithoutRef<'span'> & {
  /** Default `neutral`. */
  tone?: 'neutral' | 'primary' | 'destructive';
};

const badgeClass = variants(
  classNames(
    'tessera-badge tss:inline-flex tss:max-w-full tss:shrink-0 tss:items-center tss:rounded-sm tss:border tss:px-1.5 tss:py-0.5',
    'tss:text-xs tss:font-medium tss:wrap-anywhere',
  ),
  {
    tone: {
      neutral: 'tss:border-border tss:bg-secondary tss:text-secondary-foreground',
      primary: 'tss:border-transparent tss:bg-primary tss:text-primary-foreground',
      destructive: 'tss:border-transparent tss:bg-destructive tss:text-destructive-foreground',
    },
  },
  { tone: 'neutral' },
);

/** A short status label beside the thing it describes. */
function Badge({ tone = 'neutral', className, ...rest }: BadgeProps) {
  return <span data-tone={tone} className={badgeClass({ tone }, className)} {...rest} />;
}

export { Badge, type BadgeProps };
