import { Field, Select } from '@tessera/ui';

/** Values and names of the options of a filter. */
export type Options = readonly (readonly [value: string, label: string])[];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: Options;
}

/** A filter with a list of options. */
export function Choice({ label, value, onChange, options }: ChoiceProps) {
  return (
    <Field label={label}>
      <Select value={value} onChange={event => onChange(event.target.value)}>
        {options.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
