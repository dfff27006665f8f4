import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { newProjectFreshSignInMs } from '@tessera/client/internals';
import { SignIn } from '@tessera/react';
import { Button, Checkbox, Field, Input } from '@tessera/ui';
import { useId } from 'react';
import { toast } from 'sonner';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { LeaveGuard } from '../../components/form/leave-guard.tsx';
import { type Form, useForm } from '../../components/form/use-form.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { shownName } from '../../data/names/shown-name.ts';
import { oauthProviders } from '../../data/oauth-providers.ts';
import { type OwnedProject, useOwner } from '../../data/owner.tsx';
import { rootRoute } from '../../routes/root.tsx';
import { PlainShell } from '../../shell/plain-shell.tsx';
import { words as common } from '../../words.ts';
import { type Draft, firstDraft, settingsOf, validateDraft } from './draft.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/new-project')({ component: NewProject });

function NewProject() {
  const owner = useOwner();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<Draft>({
    initial: firstDraft,
    validate: validateDraft,
    submit: async draft => {
      const project = await owner.createProject(settingsOf(draft));
      if (!(await switchOnProtections(project))) toast.warning(words.protectionsFailed);
      await cache.invalidateQueries({ queryKey: ['projects'] });
      toast.success(words.wasCreated(shownName(project.displayName)));
      await navigate({
        to: '/projects/$projectId/get-started',
        params: { projectId: project.id },
        ignoreBlocker: true,
      });
    },
  });

  return (
    <PlainShell>
      <LeaveGuard isChanged={() => form.isChanged} />
      <PageHeader title={words.newTitle} description={words.newDescription} />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-8 tss:lg:grid-cols-2">
        <DraftForm form={form} onCancel={() => void navigate({ to: '/', ignoreBlocker: true })} />
        <Preview draft={form.values} />
      </div>
    </PlainShell>
  );
}

/**
 * The protections of new projects that the contract leaves off, as `tessera projects create` sets them.
 *
 * @returns whether all are on; the project exists in any case
 */
async function switchOnProtections({ app }: OwnedProject): Promise<boolean> {
  const results = await Promise.allSettled([
    app.updateInvitationSettings({ boundToAddress: true }),
    app.updatePasskeyPolicy({ countsAsBothFactors: true }),
    app.updateEmailVerificationSettings({ asksForCode: true }),
    app.updateSignInNoticeSettings({ enabled: true }),
    app.updateSessionPolicy({ freshSignInWithinMillis: newProjectFreshSignInMs }),
  ]);
  return results.every(({ status }) => status === 'fulfilled');
}

function DraftForm({ form, onCancel }: { readonly form: Form<Draft>; readonly onCancel: () => void }) {
  const problemId = useId();
  const { config } = rootRoute.useRouteContext();
  const sharedProviders = oauthProviders.filter(({ id }) => config.sharedProviders.includes(id));
  const toggle = (name: 'hasPassword' | 'hasEmailCode' | 'hasPasskey') => (
    <Checkbox
      key={name}
      label={words.method[name]}
      checked={form.values[name]}
      onChange={event => form.set(name, event.target.checked)}
    />
  );
  return (
    <form noValidate className="tss:grid tss:gap-6" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      <Field label={words.name} error={form.errors.name} description={words.nameHint}>
        <Input autoComplete="off" value={form.values.name} onChange={event => form.set('name', event.target.value)} />
      </Field>
      <fieldset className="tss:grid tss:gap-1" aria-describedby={form.errors.providers ? problemId : undefined}>
        <legend className="tss:mb-1 tss:text-sm tss:font-medium">{words.methods}</legend>
        {(['hasPassword', 'hasEmailCode', 'hasPasskey'] as const).map(toggle)}
        {sharedProviders.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={form.values.providers.includes(id)}
            onChange={event =>
              form.set(
                'providers',
                sharedProviders
                  .map(provider => provider.id)
                  .filter(one => (one === id ? event.target.checked : form.values.providers.includes(one))),
              )
            }
          />
        ))}
        <p className="tss:text-sm tss:text-muted-foreground">
          {sharedProviders.length > 0 ? words.providersHint : words.noSharedKeys}
        </p>
        {form.errors.providers && (
          <p id={problemId} role="alert" className="tss:text-sm tss:text-destructive">
            {form.errors.providers}
          </p>
        )}
      </fieldset>
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <Button type="submit" busy={form.isBusy}>
          {words.create}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {common.action.cancel}
        </Button>
      </div>
    </form>
  );
}

/** A preview of the sign-in page of the draft. It is inert: keyboard and screen readers skip it. */
function Preview({ draft }: { readonly draft: Draft }) {
  const { providers, hasEmailCode, hasPasskey, hasPassword, name } = draft;
  return (
    <figure className="tss:grid tss:gap-3">
      <figcaption className="tss:text-sm tss:font-medium">{words.preview}</figcaption>
      <div inert className="tss:rounded-xl tss:border tss:border-border tss:bg-background tss:p-4 tss:sm:p-6">
        <SignIn
          // The form keeps its open tab, so a new choice of methods starts with a new form.
          key={`${hasPassword} ${hasEmailCode}`}
          mockProject={{
            displayName: name.trim() || words.previewName,
            config: {
              signUpEnabled: true,
              credentialEnabled: hasPassword,
              magicLinkEnabled: hasEmailCode,
              passkeyEnabled: hasPasskey,
              oauthProviders: providers.map(id => ({ id })),
            },
          }}
        />
      </div>
    </figure>
  );
}
