import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from './class-names.ts';

type SpinnerProps = ComponentPropsWithoutRef<'svg'> & {
  /** Width and height in pixels, default 18. */
  size?: number;
  /** Announced by screen readers. Without it the spinner is decorative. */
  label?: string;
};

/** A rotating ring in the text color. With reduced motion it pulses instead. */
function Spinner({ size = 18, label, className, ...rest }: SpinnerProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label when it has a meaning
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      strokeLinecap="round"
      className={classNames(
        'tessera-spinner tss:shrink-0 tss:animate-turn tss:motion-reduce:animate-breathe',
        className,
      )}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      {...rest}
    >
      <circle cx={12} cy={12} r={9} opacity={0.25} />
      <path d="M21 12a9 9 0 0 0-9-9" />
    </svg>
  );
}

export { Spinner, type SpinnerProps };
