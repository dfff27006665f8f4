import { useQueryClient } from '@tanstack/react-query';
import type { SignUpRestrictions } from '@tessera/client';
import { Field } from '@tessera/ui';
import { toast } from 'sonner';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { TextArea } from '../../../components/form/text-area.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { signUpRestrictionsQuery } from '../queries.ts';
import { words } from '../words.ts';
import { AddressTester } from './address-tester.tsx';
import { problemOf, readEntries } from './entries.ts';

/** The addresses that can sign up, as lists of lines, and a test of what is typed. */
export function RestrictionsForm({ stored }: { readonly stored: SignUpRestrictions }) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: { allowed: stored.allowed.join('\n'), blocked: stored.blocked.join('\n') },
    validate: ({ allowed, blocked }) => ({ allowed: problemOf(allowed), blocked: problemOf(blocked) }),
    async submit(values, onlyChanged) {
      const typed = { allowed: readEntries(values.allowed).entries, blocked: readEntries(values.blocked).entries };
      await project.app.updateSignUpRestrictions(onlyChanged(typed));
      await cache.invalidateQueries({ queryKey: signUpRestrictionsQuery(project).queryKey });
      // Shows the entries as the server stored them.
      form.reset();
      toast.success(words.restrictions.saved);
    },
  });
  const { values } = form;
  const typed = { allowed: readEntries(values.allowed).entries, blocked: readEntries(values.blocked).entries };

  return (
    <>
      <SettingsForm form={form}>
        <p className="tss:text-sm tss:text-muted-foreground">{words.restrictions.text}</p>
        {(['allowed', 'blocked'] as const).map(list => (
          <Field
            key={list}
            label={words.restrictions[list]}
            description={words.restrictions.hint[list]}
            error={form.errors[list]}
          >
            <TextArea
              rows={4}
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={values[list]}
              onChange={event => form.set(list, event.target.value)}
            />
          </Field>
        ))}
      </SettingsForm>
      <AddressTester restrictions={typed} />
    </>
  );
}
