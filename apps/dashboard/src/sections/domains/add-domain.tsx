import { Button, Dialog, Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { originOf } from '../../data/origin-of.ts';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { words as common } from '../../words.ts';
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
    <Dialog title={words.add} onClose={onClose}>
      <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
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
        <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.action.cancel}
          </Button>
          <ChangeButton type="submit" busy={form.isBusy}>
            {words.add}
          </ChangeButton>
        </div>
      </form>
    </Dialog>
  );
}
