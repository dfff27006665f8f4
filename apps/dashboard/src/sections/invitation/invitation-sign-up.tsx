import { useNavigate } from '@tanstack/react-router';
import { passwordMinLength } from '@tessera/client/internals';
import { Button, Field, Input } from '@tessera/ui';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { SecretInput } from '../../components/form/secret-input.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { projectsQuery } from '../../data/owner.tsx';
import { rootRoute } from '../../routes/root.tsx';
import { forgetInvitationCode } from './invitation-code.ts';
import { words } from './words.ts';

/** Creates the account of the invited address and accepts the invitation. */
export function InvitationSignUp({ code }: { readonly code: string }) {
  const { app, queryClient } = rootRoute.useRouteContext();
  const navigate = useNavigate();
  const form = useForm({
    initial: { displayName: '', password: '' },
    validate: ({ password }) => ({
      password: password.length < passwordMinLength ? words.passwordShort : undefined,
    }),
    submit: async ({ displayName, password }) => {
      const name = displayName.trim();
      await app.signUpWithProjectInvitation({ code, password, ...(name && { displayName: name }), noRedirect: true });
      forgetInvitationCode(window.sessionStorage);
      const user = await app.getUser();
      // The account is new: it manages the project of the invitation only.
      const [project] = user === null ? [] : await queryClient.fetchQuery(projectsQuery(user));
      await (project === undefined
        ? navigate({ to: '/' })
        : navigate({ to: '/projects/$projectId/overview', params: { projectId: project.id } }));
    },
  });

  return (
    <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
      <FormFailure failure={form.failure} />
      <Field label={words.name}>
        <Input
          autoComplete="name"
          value={form.values.displayName}
          onChange={event => form.set('displayName', event.target.value)}
        />
      </Field>
      <Field label={words.password} description={words.passwordHint} error={form.errors.password}>
        <SecretInput
          autoComplete="new-password"
          value={form.values.password}
          onChange={event => form.set('password', event.target.value)}
        />
      </Field>
      <Button type="submit" size="lg" busy={form.isBusy}>
        {words.create}
      </Button>
    </form>
  );
}
