import { type ComponentPropsWithoutRef, forwardRef, type MouseEvent } from 'react';
import { useBusyClick } from './busy/use-busy-click.ts';
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

type ButtonProps = ComponentPropsWithoutRef<'button'> & {
  /** Default `primary`. */
  variant?: ButtonVariant;
  /** Default `md`. */
  size?: ButtonSize;
  /** Shows a spinner, keeps width, name and focus, and ignores clicks and submits. */
  busy?: boolean;
};

/**
 * A button, of type `button` by default. It is busy while a promise that `onClick` returned is pending. The caller
 * handles the rejection of that promise.
 */
const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { variant = 'primary', size = 'md', busy = false, type = 'button', className, onClick, children, ...rest },
  ref,
) {
  const click = useBusyClick<MouseEvent<HTMLButtonElement>>(busy, onClick);

  return (
    <button
      ref={ref}
      type={type}
      data-variant={variant}
      data-size={size}
      className={buttonClass({ variant, size }, className)}
      {...(click.isBusy && { 'aria-busy': true, 'aria-disabled': true })}
      {...rest}
      onClick={click.onClick}
    >
      <span
        className={classNames(
          variant !== 'link' && 'tss:inline-flex tss:items-center tss:justify-center tss:gap-2',
          click.isBusy && 'tss:opacity-0',
        )}
      >
        {children}
      </span>
      {click.isBusy && <Spinner className="tss:absolute tss:inset-0 tss:m-auto" />}
    </button>
  );
});

export { Button, type ButtonProps };
