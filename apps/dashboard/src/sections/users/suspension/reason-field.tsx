import { suspensionReasonMaxLength } from '@tessera/client/internals';
import { Field, Input } from '@tessera/ui';
import { useUnsaved } from '../../../components/form/unsaved-forms.tsx';
import { words } from './words.ts';

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Why users are suspended. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  useUnsaved(value.trim() !== '');
  return (
    <Field label={words.reason} description={words.reasonHint}>
      <Input
        value={value}
        maxLength={suspensionReasonMaxLength}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
    </Field>
  );
}
