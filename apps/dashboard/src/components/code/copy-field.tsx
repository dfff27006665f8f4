import { CopyButton } from './copy-button.tsx';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** The name of the button, e.g. "Copy the callback URL". */
  readonly copyLabel: string;
}

/** A value that people copy: id, URL, public key. */
export function CopyField({ label, value, copyLabel }: CopyFieldProps) {
  return (
    <div className="tss:grid tss:min-w-0 tss:gap-1">
      <p className="tss:text-sm tss:font-medium">{label}</p>
      <div className="tss:flex tss:min-h-11 tss:items-center tss:gap-1 tss:rounded-md tss:border tss:border-border tss:bg-muted tss:ps-3 tss:pe-1">
        <code className="tss:min-w-0 tss:flex-1 tss:font-mono tss:text-sm tss:wrap-anywhere">{value}</code>
        <CopyButton text={value} label={copyLabel} />
      </div>
    </div>
  );
}
