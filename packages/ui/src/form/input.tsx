import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';
import { useFieldControl } from './field-context.ts';

type InputProps = ComponentPropsWithoutRef<'input'>;

/** A one-line text input, connected to the Field around it. */
function Input({ className, type = 'text', ...rest }: InputProps) {
  return (
    <input
      type={type}
      className={classNames(
        // 16 pixels, because iOS zooms the page into smaller controls.
        'tessera-input tss:block tss:w-full tss:min-w-0 tss:min-h-11 tss:px-3 tss:py-2 tss:text-base tss:text-start',
        'tss:rounded-md tss:border tss:border-input tss:bg-card tss:text-card-foreground',
        'tss:placeholder:text-muted-foreground tss:placeholder:opacity-100',
        'tss:transition-colors tss:motion-reduce:transition-none tss:hover:border-input-hover',
        'tss:aria-invalid:border-destructive tss:aria-invalid:outline-destructive',
        'tss:disabled:cursor-not-allowed tss:disabled:bg-muted tss:disabled:text-muted-foreground',
        'tss:read-only:bg-muted',
        className,
      )}
      {...useFieldControl()}
      {...rest}
    />
  );
}

export { Input, type InputProps };
