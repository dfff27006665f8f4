import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { TriangleAlert } from '../icons.tsx';

type FormSummaryProps = Omit<ComponentPropsWithoutRef<'div'>, 'title'> & { title: ReactNode };

/** A problem of a whole form. Announced when it appears. It can receive the focus. */
function FormSummary({ title, className, children, ...rest }: FormSummaryProps) {
  return (
    <div
      role="alert"
      tabIndex={-1}
      className={classNames(
        'tessera-form-summary tss:flex tss:gap-2.5 tss:rounded-md tss:border tss:border-destructive/40 tss:bg-destructive/8',
        'tss:p-3 tss:text-sm tss:text-start tss:text-card-foreground',
        className,
      )}
      {...rest}
    >
      <TriangleAlert className="tss:mt-0.5 tss:size-4 tss:shrink-0 tss:text-destructive" />
      <div className="tss:grid tss:min-w-0 tss:gap-1 tss:wrap-anywhere">
        <p className="tss:font-medium">{title}</p>
        {children}
      </div>
    </div>
  );
}

export { FormSummary, type FormSummaryProps };
