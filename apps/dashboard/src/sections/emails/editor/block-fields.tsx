import { Field, Input, Select } from '@tessera/ui';
import { type Block, type Settings, styleOf, textOf } from './blocks.ts';
import { VariableField } from './variable-field.tsx';
import { words } from './words.ts';

interface BlockFieldsProps {
  readonly block: Block;
  readonly variables: readonly string[];
  /** Messages have the button color of the project. */
  readonly hasColors: boolean;
  readonly isReadOnly: boolean;
  readonly onSet: (part: 'props' | 'style', changes: Settings) => void;
}

/** The settings of a block. */
export function BlockFields(props: BlockFieldsProps) {
  switch (props.block.type) {
    case 'Heading':
      return (
        <>
          <TextProp {...props} name="text" label={words.text} />
          <Pair>
            <Choice {...props} part="props" name="level" label={words.level} options={words.levels} initial="h2" />
            <Alignment {...props} />
          </Pair>
        </>
      );
    case 'Text':
      return (
        <>
          <TextProp {...props} name="text" label={words.text} hint={words.textHint} isLong />
          <Alignment {...props} />
        </>
      );
    case 'Button':
      return <ButtonFields {...props} />;
    case 'Image':
      return (
        <>
          <TextProp {...props} name="url" label={words.imageUrl} hint={words.imageHint} />
          <TextProp {...props} name="alt" label={words.alt} />
          <Pair>
            <NumberProp {...props} name="width" label={words.width} />
            <Alignment {...props} />
          </Pair>
        </>
      );
    case 'Spacer':
      return <NumberProp {...props} name="height" label={words.height} />;
    case 'Divider':
      return null;
    default:
      return <p className="tss:text-sm tss:text-muted-foreground">{words.otherType(props.block.type)}</p>;
  }
}

function ButtonFields(props: BlockFieldsProps) {
  return (
    <>
      <TextProp {...props} name="text" label={words.label} />
      <TextProp {...props} name="url" label={words.url} />
      <Pair>
        <Alignment {...props} />
        {props.hasColors && (
          <Pair>
            <ColorProp {...props} name="buttonBackgroundColor" label={words.buttonColor} />
            <ColorProp {...props} name="buttonTextColor" label={words.buttonTextColor} />
          </Pair>
        )}
      </Pair>
    </>
  );
}

function Pair({ children }: { readonly children: React.ReactNode }) {
  return <div className="tss:grid tss:gap-3 tss:sm:grid-cols-2">{children}</div>;
}

interface PropProps extends BlockFieldsProps {
  readonly name: string;
  readonly label: string;
}

function TextProp({
  name,
  label,
  hint,
  isLong,
  ...props
}: PropProps & { readonly hint?: string; readonly isLong?: boolean }) {
  return (
    <VariableField
      label={label}
      description={hint}
      value={textOf(props.block, name)}
      variables={props.variables}
      isLong={isLong === true}
      isReadOnly={props.isReadOnly}
      onChange={value => props.onSet('props', { [name]: value })}
    />
  );
}

const maxPixels = 2_000;

function NumberProp({ name, label, block, isReadOnly, onSet }: PropProps) {
  return (
    <Field label={label}>
      <Input
        type="number"
        min={0}
        max={maxPixels}
        readOnly={isReadOnly}
        value={textOf(block, name)}
        onChange={event => {
          const value = event.target.value === '' ? null : Math.min(Math.max(Number(event.target.value), 0), maxPixels);
          onSet('props', { [name]: value });
        }}
      />
    </Field>
  );
}

function ColorProp({ name, label, block, isReadOnly, onSet }: PropProps) {
  return (
    <Field label={label}>
      <Input
        type="color"
        className="tss:h-11 tss:p-1"
        disabled={isReadOnly}
        value={textOf(block, name) || '#18181b'}
        onChange={event => onSet('props', { [name]: event.target.value })}
      />
    </Field>
  );
}

function Alignment(props: BlockFieldsProps) {
  return <Choice {...props} part="style" name="textAlign" label={words.align} options={words.aligns} initial="left" />;
}

interface ChoiceProps extends PropProps {
  readonly part: 'props' | 'style';
  readonly options: Readonly<Record<string, string>>;
  readonly initial: string;
}

function Choice({ part, name, label, options, initial, block, isReadOnly, onSet }: ChoiceProps) {
  const value = part === 'style' ? styleOf(block, name) : textOf(block, name);
  return (
    <Field label={label}>
      <Select
        disabled={isReadOnly}
        value={value || initial}
        onChange={event => onSet(part, { [name]: event.target.value })}
      >
        {Object.entries(options).map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  );
}
