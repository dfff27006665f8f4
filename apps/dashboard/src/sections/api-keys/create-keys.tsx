import type { InternalApiKeyFirstView } from '@tessera/client';
import { Button, Checkbox, Dialog, Field, Input, Select } from '@tessera/ui';
import { useId } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { type Form, useForm } from '../../components/form/use-form.ts';
import { useProject, useRole } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
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
    <Dialog title={words.createTitle} onClose={onClose}>
      <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
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
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.action.cancel}
          </Button>
          <ChangeButton type="submit" busy={form.isBusy}>
            {words.create}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
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
