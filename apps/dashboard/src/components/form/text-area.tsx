import { classNames, useFieldControl } from '@tessera/ui';
import type { ComponentPropsWithRef } from 'react';

/** A text input of several lines, connected to the Field around it. */
export function TextArea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return (
    <textarea
      className={classNames(
        'tss:block tss:min-h-24 tss:w-full tss:min-w-0 tss:resize-y tss:rounded-md tss:border tss:border-input tss:bg-card tss:px-3 tss:py-2 tss:text-base tss:text-card-foreground',
        'tss:hover:border-input-hover tss:read-only:bg-muted tss:aria-invalid:border-destructive',
        className,
      )}
      {...useFieldControl()}
      {...rest}
    />
  );
}
