import { Field, Input } from '@tessera/ui';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ChangeFields } from '../../components/form/change-fields.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useUnsaved } from '../../components/form/unsaved-forms.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { originOf } from '../../data/origin-of.ts';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { withoutDomain } from '../domains/domain-form.ts';
import { Step } from './step.tsx';
import { words } from './words.ts';

/** Adds a trusted domain. */
export function DomainStep() {
  const { domains, allowLocalhost } = useProject().config;
  const changeConfig = useChangeConfig();
  const form = useForm({
    initial: { domain: '' },
    validate: ({ domain }) => (originOf(domain) === undefined ? { domain: words.domainWrong } : {}),
    submit: async ({ domain }) => {
      const origin = originOf(domain);
      if (origin === undefined) return;
      const added = { domain: origin, handlerPath: '/handler' };
      await changeConfig(stored => ({ domains: [...withoutDomain(stored.domains, added), added] }));
      form.reset();
    },
  });
  useUnsaved(form.isChanged);

  return (
    <Step number={5} title={words.domain} isDone={domains.length > 0}>
      <p className="tss:text-sm tss:text-muted-foreground tss:wrap-anywhere">
        {domains.length > 0
          ? words.domainDone(domains.map(({ domain }) => domain).join(', '))
          : words.domainText(allowLocalhost)}
      </p>
      {domains.length === 0 && (
        <form
          noValidate
          className="tss:grid tss:max-w-120 tss:grid-cols-[minmax(0,1fr)] tss:gap-3"
          onSubmit={form.onSubmit}
        >
          <FormFailure failure={form.failure} />
          <ChangeFields>
            <Field label={words.domainLabel} description={words.domainHint} error={form.errors.domain}>
              <Input
                type="url"
                dir="ltr"
                autoComplete="off"
                value={form.values.domain}
                onChange={event => form.set('domain', event.target.value)}
              />
            </Field>
          </ChangeFields>
          <ChangeButton type="submit" size="sm" className="tss:justify-self-start" busy={form.isBusy}>
            {words.addDomain}
          </ChangeButton>
        </form>
      )}
    </Step>
  );
}
