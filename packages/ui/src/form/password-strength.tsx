import type { ComponentPropsWithoutRef } from 'react';
import { classNames } from '../class-names.ts';
import { type PasswordLevel, passwordStrength } from './strength.ts';

type PasswordStrengthProps = Omit<ComponentPropsWithoutRef<'div'>, 'children'> & {
  /** The current value of the password input. */
  value: string;
  /** The meter's name for screen readers. */
  label: string;
  /** A word for each level: empty, weak, fair, good, strong. It is in the line of the tiles. */
  levelLabels: Record<PasswordLevel, string>;
  /** Words that make a password easier to guess, such as name and address. */
  knownWords?: readonly string[];
};

const tiles = [1, 2, 3, 4] as const;

/** Four tiles that fill as a password becomes harder to guess. */
function PasswordStrength({ value, label, levelLabels, knownWords, className, ...rest }: PasswordStrengthProps) {
  const { level } = passwordStrength(value, knownWords);

  return (
    <div className={classNames('tessera-password-strength tss:flex tss:items-center tss:gap-3', className)} {...rest}>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> in ways that CSS cannot undo */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={level}
        aria-valuetext={levelLabels[level]}
        className="tss:grid tss:flex-1 tss:grid-cols-4 tss:gap-1"
      >
        {tiles.map(tile => (
          <span
            key={tile}
            className={classNames(
              'tss:h-1.5 tss:rounded-xs tss:transition-colors tss:motion-reduce:transition-none',
              'tss:forced-colors:border',
              tileColour(tile, level),
            )}
          />
        ))}
      </div>
      <p aria-live="polite" className="tss:shrink-0 tss:text-sm tss:text-muted-foreground">
        {levelLabels[level]}
      </p>
    </div>
  );
}

function tileColour(tile: number, level: PasswordLevel): string {
  if (tile > level) return 'tss:bg-foreground/15';
  return level === 1
    ? 'tss:bg-destructive tss:forced-colors:bg-[Highlight]'
    : 'tss:bg-primary tss:forced-colors:bg-[Highlight]';
}

export { PasswordStrength, type PasswordStrengthProps };
