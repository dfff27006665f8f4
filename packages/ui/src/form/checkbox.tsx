import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { classNames } from '../class-names.ts';

type CheckboxProps = Omit<ComponentPropsWithoutRef<'input'>, 'type'> & { label: ReactNode };

/** A checkbox with its label. */
function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label
      className={classNames(
        'tessera-checkbox tss:flex tss:min-h-11 tss:cursor-pointer tss:items-center tss:gap-3',
        className,
      )}
    >
      <input
        type="checkbox"
        className="tessera-checkbox-control tss:size-5 tss:shrink-0 tss:appearance-auto tss:accent-primary"
        {...rest}
      />
      <span className="tss:min-w-0 tss:text-sm">{label}</span>
    </label>
  );
}

export { Checkbox, type CheckboxProps };
