import type { InternalApiKeyFirstView } from '@tessera/client';
import { Checkbox, Field, Input, Select } from '@tessera/ui';
import { useId } from 'react';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { type Form, useForm } from '../../components/form/use-form.ts';
import { useProject, useRole } from '../../data/owner.tsx';
import { firstKeySet, type KeySetValues, keyKinds, newKeySet, validateKeySet } from './key-set.ts';
import { words } from './words.ts';

interface CreateKeysProps {
  /** Called with the new keys before the dialog closes. */
  readonly onCreated: (keys: InternalApiKeyFirstView) => void;
  readonly onClose: () => void;
}

const lifetimes = ['30', '90', '365', '1825'] as const;

/** Creates a set of keys. */
export function CreateKeys({ onCreated, onClose }: CreateKeysProps) {
  const project = useProject();
  const form = useForm<KeySetValues>({
    initial: firstKeySet,
    validate: validateKeySet,
    submit: async values => {
      onCreated(await project.app.createInternalApiKey(newKeySet(values, Date.now())));
      onClose();
    },
  });

  return (
    <EditDialog title={words.createTitle} onClose={onClose}>
      <DialogForm form={form} label={words.create} onClose={onClose}>
        <Field label={words.purpose} description={words.purposeHint} error={form.errors.description}>
          <Input
            autoComplete="off"
            value={form.values.description}
            onChange={event => form.set('description', event.target.value)}
          />
        </Field>
        <KindChoice form={form} />
        <Field label={words.lifetime}>
          <Select
            value={form.values.lifetimeDays}
            onChange={event =>
              form.set('lifetimeDays', lifetimes.find(days => days === event.target.value) ?? firstKeySet.lifetimeDays)
            }
          >
            {lifetimes.map(days => (
              <option key={days} value={days}>
                {words.lifetimes[days]}
              </option>
            ))}
          </Select>
        </Field>
      </DialogForm>
    </EditDialog>
  );
}

function KindChoice({ form }: { readonly form: Form<KeySetValues> }) {
  const problemId = useId();
  const { kinds } = form.values;
  const isOwner = useRole() === 'owner';
  // With an admin key a member could do what only owners may do, and the server refuses it.
  const offered = keyKinds.filter(kind => isOwner || kind !== 'superSecretAdminKey');
  return (
    <fieldset className="tss:grid tss:gap-1" aria-describedby={form.errors.kinds ? problemId : undefined}>
      <legend className="tss:mb-1 tss:text-sm tss:font-medium">{words.kinds}</legend>
      {offered.map(kind => (
        <Checkbox
          key={kind}
          label={
            <>
              {words.kind[kind]}
              <span className="tss:block tss:text-muted-foreground">{words.kindText[kind]}</span>
            </>
          }
          checked={kinds.includes(kind)}
          onChange={event =>
            form.set(
              'kinds',
              keyKinds.filter(one => (one === kind ? event.target.checked : kinds.includes(one))),
            )
          }
        />
      ))}
      {form.errors.kinds && (
        <p id={problemId} role="alert" className="tss:text-sm tss:text-destructive">
          {form.errors.kinds}
        </p>
      )}
    </fieldset>
  );
}
