import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';

/** A horizontal line, with text in its middle when there are children. */
function Separator({ className, children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  return (
    <div
      // Screen readers skip the content of a separator, so a line with text is a plain element.
      {...(children ? {} : { role: 'separator' })}
      className={classNames(
        'tessera-separator tss:flex tss:items-center tss:text-sm tss:text-muted-foreground tss:line-beside',
        Boolean(children) && 'tss:gap-3',
        className,
      )}
      {...rest}
    >
      {children}
    </div>
  );
}

export { Separator };
