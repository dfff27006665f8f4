import { Button, Field, Input } from '@tessera/ui';
import { useEffect, useRef, useState } from 'react';
import { FormFrame } from '../../../form/form-frame.tsx';
import { type FieldRule, useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useTranslate } from '../../../words/translate.tsx';

interface EditableTextProps {
  label: string;
  value: string | null;
  /** Default: every value is valid. */
  rule?: FieldRule<'text'>;
  save: (text: string) => Promise<void>;
}

/** A text with a button that edits it in place. */
export function EditableText({ label, value, rule, save }: EditableTextProps) {
  const translate = useTranslate();
  const button = useRef<HTMLButtonElement>(null);
  const [isEditing, setEditing] = useState(false);
  const wasEditing = useRef(false);

  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  if (isEditing) {
    return <TextForm label={label} value={value} rule={rule} save={save} stop={() => setEditing(false)} />;
  }
  return (
    <div className="tss:flex tss:w-full tss:flex-wrap tss:items-center tss:justify-between tss:gap-x-4 tss:gap-y-2">
      <bdi className={value ? 'tss:min-w-0 tss:wrap-anywhere' : 'tss:text-muted-foreground'}>
        {value || translate('edit.none')}
      </bdi>
      <Button
        ref={button}
        variant="secondary"
        aria-label={translate('edit.label', { label })}
        onClick={() => setEditing(true)}
      >
        {translate('edit.change')}
      </Button>
    </div>
  );
}

interface TextFormProps extends Omit<EditableTextProps, 'rule'> {
  rule: FieldRule<'text'> | undefined;
  stop: () => void;
}

function TextForm({ label, value, rule = () => undefined, save, stop }: TextFormProps) {
  const translate = useTranslate();
  const form = useGuardedForm({
    rules: { text: rule },
    submit: async ({ text }) => {
      await save(text.trim());
      return undefined;
    },
    done: stop,
  });
  const { name, error } = form.field('text');

  return (
    <div className="tss:w-full">
      <FormFrame form={form} submitText={translate('action.save')} onCancel={stop}>
        <Field label={label} error={error}>
          <Input name={name} defaultValue={value ?? ''} autoComplete="off" />
        </Field>
      </FormFrame>
    </div>
  );
}
