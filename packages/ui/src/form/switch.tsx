import { type ChangeEvent, type ComponentPropsWithoutRef, useId } from 'react';
import { classNames } from '../class-names.ts';

type SwitchProps = Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'onChange'> & {
  label: string;
  /** Shown below the label. */
  description?: string | undefined;
  onChange: (checked: boolean) => void;
};

/** A setting that takes effect immediately, without a save button. */
function Switch({ label, description, className, onChange, ...rest }: SwitchProps) {
  const descriptionId = useId();

  return (
    <label
      className={classNames(
        'tessera-switch tss:flex tss:min-h-11 tss:flex-wrap tss:items-center tss:gap-x-4 tss:gap-y-2',
        className,
      )}
    >
      {/* With large text in a narrow window the switch is below the text. */}
      <span className="tss:grid tss:min-w-0 tss:grow tss:basis-32">
        <span className="tss:font-medium tss:wrap-anywhere">{label}</span>
        {description && (
          <span id={descriptionId} className="tss:text-sm tss:text-muted-foreground">
            {description}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: the browser announces whether a checkbox is checked
        role="switch"
        aria-describedby={description && descriptionId}
        className={classNames(
          'tessera-switch-control tss:relative tss:h-6 tss:w-11 tss:shrink-0 tss:cursor-pointer tss:rounded-xl tss:bg-input',
          "tss:before:absolute tss:before:inset-y-0.5 tss:before:start-0.5 tss:before:w-5 tss:before:rounded-xl tss:before:bg-card tss:before:content-['']",
          'tss:checked:bg-primary tss:checked:before:start-5.5',
          'tss:transition-colors tss:motion-reduce:transition-none',
          'tss:disabled:cursor-not-allowed tss:disabled:opacity-50 tss:forced-colors:appearance-auto',
        )}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(event.target.checked)}
        {...rest}
      />
    </label>
  );
}

export { Switch, type SwitchProps };
