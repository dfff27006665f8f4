import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';
import { useFieldControl } from './field-context.ts';

type SelectProps = ComponentPropsWithoutRef<'select'>;

/** A native select, connected to the Field around it. */
function Select({ className, ...rest }: SelectProps) {
  return (
    <select
      className={classNames(
        'tessera-select tss:block tss:w-full tss:min-w-0 tss:min-h-11 tss:rounded-md tss:border tss:border-input tss:bg-card',
        'tss:px-3 tss:py-2 tss:text-base tss:text-card-foreground tss:hover:border-input-hover',
        'tss:disabled:cursor-not-allowed tss:disabled:bg-muted tss:disabled:text-muted-foreground',
        className,
      )}
      {...useFieldControl()}
      {...rest}
    />
  );
}

export { Select, type SelectProps };
