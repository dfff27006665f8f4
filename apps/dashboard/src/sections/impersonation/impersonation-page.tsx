import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import type { Impersonation } from '@tessera/client';
import { impersonationReasonMaxLength, impersonationReasonMinLength } from '@tessera/client/internals';
import { Reauthentication } from '@tessera/react';
import { Card, CardDescription, CardHeader, CardTitle, Field, Input, Page } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { ContentSkeleton } from '../../components/page/content-skeleton.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useDocumentTitle } from '../../data/browser/document-title.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { ProjectProvider, rolesQuery, useOwner, useProject, useProjects } from '../../data/owner.tsx';
import { type User, userQuery } from '../users/queries.ts';
import { userName } from '../users/user-name.ts';
import { ActingWindow } from './acting-window.tsx';
import { impersonationRoute } from './routes.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/impersonation/$projectId/$userId')({ component: ImpersonationPage });

function ImpersonationPage() {
  useDocumentTitle(words.pageTitle);
  const { projectId } = impersonationRoute.useParams();
  const owner = useOwner();
  const projects = useProjects();
  const roles = useQuery(rolesQuery(owner));
  const failed = [projects, roles].find(query => query.isLoadingError);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (projects.data === undefined || roles.data === undefined) return <ContentSkeleton />;
  const project = projects.data.find(one => one.id === projectId);
  if (project === undefined) return <Notice title={words.noProject}>{words.noProjectText}</Notice>;
  return (
    <ProjectProvider project={project} role={roles.data.find(one => one.projectId === projectId)?.role ?? 'viewer'}>
      <Reauthentication user={owner}>
        <OfUser />
      </Reauthentication>
    </ProjectProvider>
  );
}

/** The question for the reason, the account, and the end of the session. A reload asks again: nothing is stored. */
function OfUser() {
  const project = useProject();
  const { userId } = impersonationRoute.useParams();
  const navigate = useNavigate();
  const query = useQuery(userQuery(project, userId));
  const [impersonation, setImpersonation] = useState<Impersonation | 'ended'>();
  if (query.data === undefined) {
    return query.isLoadingError ? <Problem error={query.error} retry={query.refetch} /> : <ContentSkeleton />;
  }
  if (query.data === null) return <Notice title={words.noUser}>{words.noUserText}</Notice>;
  if (impersonation === undefined) return <AskReason user={query.data} onOpen={setImpersonation} />;
  if (impersonation !== 'ended') {
    return (
      <ActingWindow name={userName(query.data)} impersonation={impersonation} onEnd={() => setImpersonation('ended')} />
    );
  }
  return (
    <Notice
      title={words.endedTitle}
      primaryButtonText={words.back}
      primaryAction={() =>
        navigate({ to: '/projects/$projectId/users/$userId', params: { projectId: project.id, userId } })
      }
    >
      {words.endedText}
    </Notice>
  );
}

interface AskReasonProps {
  readonly user: User;
  readonly onOpen: (impersonation: Impersonation) => void;
}

function AskReason({ user, onOpen }: AskReasonProps) {
  const project = useProject();
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) =>
      reason.trim().length < impersonationReasonMinLength
        ? { reason: words.tooShort(impersonationReasonMinLength) }
        : {},
    submit: async ({ reason }) => onOpen(await project.app.impersonateUser(user.id, { reason: reason.trim() })),
  });
  return (
    <Page fullPage>
      <Card>
        <CardHeader>
          <CardTitle>{words.title(userName(user))}</CardTitle>
          <CardDescription>{words.text(shownName(project.displayName))}</CardDescription>
        </CardHeader>
        <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
          <FormFailure failure={form.failure} />
          <Field label={words.reason} description={words.reasonHint} error={form.errors.reason}>
            <Input
              value={form.values.reason}
              maxLength={impersonationReasonMaxLength}
              autoComplete="off"
              onChange={event => form.set('reason', event.target.value)}
            />
          </Field>
          <ChangeButton type="submit" busy={form.isBusy}>
            {words.start}
          </ChangeButton>
        </form>
      </Card>
    </Page>
  );
}
