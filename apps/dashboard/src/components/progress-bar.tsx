interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** A bar in the colours of the theme. Browsers drop their own look of it when any border is set. */
export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={value}
      max={max}
      className="tss:block tss:h-2 tss:w-full tss:appearance-none tss:overflow-hidden tss:rounded-full tss:bg-muted tss:[&::-moz-progress-bar]:bg-primary tss:[&::-webkit-progress-bar]:bg-muted tss:[&::-webkit-progress-value]:bg-primary"
    />
  );
}
