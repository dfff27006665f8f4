import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';

/** A placeholder for content that is loading. Give it the size of that content. */
function Skeleton({ className, ...rest }: ComponentPropsWithoutRef<'div'>) {
  return (
    <div
      aria-hidden
      className={classNames(
        'tessera-skeleton tss:block tss:rounded-md tss:bg-foreground/10 tss:animate-breathe tss:motion-reduce:animate-none',
        'tss:forced-colors:border',
        className,
      )}
      {...rest}
    />
  );
}

export { Skeleton };
