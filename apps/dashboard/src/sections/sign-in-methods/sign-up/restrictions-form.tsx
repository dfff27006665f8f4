import { useQueryClient } from '@tanstack/react-query';
import type { SignUpRestrictions } from '@tessera/client';
import { Field } from '@tessera/ui';
import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { SettingsForm } from '../../../components/form/settings-form.tsx';
import { TextArea } from '../../../components/form/text-area.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { signUpRestrictionsQuery } from '../queries.ts';
import { words } from '../words.ts';
import { AddressTester } from './address-tester.tsx';
import { changeEntries, problemOf, readEntries } from './entries.ts';

/** The addresses that can sign up, as lists of lines, and a test of what is typed. */
export function RestrictionsForm({ stored }: { readonly stored: SignUpRestrictions }) {
  const project = useProject();
  const cache = useQueryClient();
  // The lists that the edits began with: a later read of the page must not turn its new entries into removed ones.
  const opened = useRef(stored);
  const form = useForm({
    initial: { allowed: stored.allowed.join('\n'), blocked: stored.blocked.join('\n') },
    validate: ({ allowed, blocked }) => ({ allowed: problemOf(allowed), blocked: problemOf(blocked) }),
    async submit(values, onlyChanged) {
      const typed = { allowed: readEntries(values.allowed).entries, blocked: readEntries(values.blocked).entries };
      // The lists are replaced as a whole, and the page may be older than a change of another admin.
      const now = await cache.fetchQuery({ ...signUpRestrictionsQuery(project), staleTime: 0 });
      const changed = {
        allowed: changeEntries(now.allowed, { shown: opened.current.allowed, typed: typed.allowed }),
        blocked: changeEntries(now.blocked, { shown: opened.current.blocked, typed: typed.blocked }),
      };
      await project.app.updateSignUpRestrictions(onlyChanged(changed));
      await cache.invalidateQueries({ queryKey: signUpRestrictionsQuery(project).queryKey });
      // Shows the entries as the server stored them.
      form.reset();
      toast.success(words.restrictions.saved);
    },
  });
  const { values, isChanged } = form;
  useEffect(() => {
    if (!isChanged) opened.current = stored;
  }, [isChanged, stored]);
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
