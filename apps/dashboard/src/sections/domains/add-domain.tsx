import { Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { originOf } from '../../data/origin-of.ts';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { hasPort, validateDomain, withoutDomain } from './domain-form.ts';
import { words } from './words.ts';

/** Adds a trusted domain. */
export function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const { domains } = useProject().config;
  const changeConfig = useChangeConfig();
  const form = useForm({
    initial: { domain: '', handlerPath: '/handler' },
    validate: values => validateDomain(values, domains),
    submit: async ({ domain, handlerPath }) => {
      const origin = originOf(domain) ?? domain;
      const added = { domain: origin, handlerPath: handlerPath.trim() };
      await changeConfig(stored => ({ domains: [...withoutDomain(stored.domains, added), added] }));
      toast.success(words.added(origin));
      onClose();
    },
  });

  return (
    <EditDialog title={words.add} onClose={onClose}>
      <DialogForm form={form} label={words.add} onClose={onClose}>
        <Field
          label={words.domain}
          description={hasPort(form.values.domain) ? words.domainPort : words.domainHint}
          error={form.errors.domain}
        >
          <Input
            type="url"
            dir="ltr"
            autoComplete="off"
            value={form.values.domain}
            onChange={event => form.set('domain', event.target.value)}
          />
        </Field>
        <Field label={words.handlerPath} description={words.handlerPathHint} error={form.errors.handlerPath}>
          <Input
            dir="ltr"
            autoComplete="off"
            value={form.values.handlerPath}
            onChange={event => form.set('handlerPath', event.target.value)}
          />
        </Field>
      </DialogForm>
    </EditDialog>
  );
}
