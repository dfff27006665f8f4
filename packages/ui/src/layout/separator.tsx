import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';

const line =
  "tss:before:h-px tss:before:flex-1 tss:before:bg-border tss:before:content-[''] tss:forced-colors:before:bg-[CanvasText] " +
  "tss:after:h-px tss:after:flex-1 tss:after:bg-border tss:after:content-[''] tss:forced-colors:after:bg-[CanvasText]";

/** A horizontal line, with text in its middle when there are children. */
function Separator({ className, children, ...rest }: ComponentPropsWithoutRef<'div'>) {
  return (
    <div
      // Screen readers skip the content of a separator, so a line with text is a plain element.
      {...(children ? {} : { role: 'separator' })}
      className={classNames(
        'tessera-separator tss:flex tss:items-center tss:text-sm tss:text-muted-foreground',
        line,
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
