import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { FieldContext } from './field-context.ts';
import { CircleAlert } from './icons.tsx';

type FieldProps = Omit<ComponentPropsWithoutRef<'div'>, 'id'> & {
  label: ReactNode;
  /** One control that reads the field: Input, PasswordInput, or anything that spreads `useFieldControl()`. */
  children: ReactNode;
  /** The control's id, for summaries that link to it; made up when left out. */
  id?: string;
  /** A hint that always stands under the control. */
  description?: ReactNode;
  /** What is wrong; announced when it appears, and marks the control as invalid. */
  error?: ReactNode;
  /** A link at the end of the label's line, such as "forgot?"; by keyboard it comes after the control. */
  action?: ReactNode;
};

/** A label, its control, its hint and its error, connected for screen readers (control 108). */
function Field({ label, children, id, description, error, action, className, ...rest }: FieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const descriptionId = `${controlId}-description`;
  const errorId = `${controlId}-error`;
  const describedBy = classNames(Boolean(error) && errorId, Boolean(description) && descriptionId);

  const control = {
    id: controlId,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? (true as const) : undefined,
  };

  return (
    <div
      className={classNames('tessera-field tss:grid tss:grid-cols-[1fr_auto] tss:gap-x-3 tss:gap-y-1.5', className)}
      {...rest}
    >
      <label htmlFor={controlId} className="tessera-label tss:text-sm tss:font-medium tss:text-start">
        {label}
      </label>
      <div className="tss:col-span-full tss:min-w-0">
        <FieldContext.Provider value={control}>{children}</FieldContext.Provider>
      </div>
      {error && (
        <div
          id={errorId}
          role="alert"
          className="tessera-field-error tss:col-span-full tss:flex tss:gap-1.5 tss:text-sm tss:text-destructive"
        >
          <CircleAlert aria-hidden className="tss:mt-0.5 tss:size-4 tss:shrink-0" />
          <span className="tss:min-w-0 tss:wrap-anywhere">{error}</span>
        </div>
      )}
      {description && (
        <div
          id={descriptionId}
          className="tessera-field-description tss:col-span-full tss:text-sm tss:text-muted-foreground"
        >
          {description}
        </div>
      )}
      {action && <div className="tss:col-start-2 tss:row-start-1 tss:text-sm">{action}</div>}
    </div>
  );
}

export { Field, type FieldProps };
