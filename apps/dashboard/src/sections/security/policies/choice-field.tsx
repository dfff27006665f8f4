import { Field, Select } from '@tessera/ui';
import { choicesWith } from './duration.ts';

interface ChoiceFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly choices: readonly number[];
  readonly choiceWords: (choice: number) => string;
  /** The words for no value. */
  readonly nullWords: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A choice of numbers, or none. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, description, choices, choiceWords, nullWords, value, onChange } = props;
  return (
    <Field label={label} description={description}>
      <Select
        value={value ?? ''}
        onChange={event => onChange(event.target.value === '' ? null : Number(event.target.value))}
      >
        <option value="">{nullWords}</option>
        {choicesWith(choices, value).map(choice => (
          <option key={choice} value={choice}>
            {choiceWords(choice)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
