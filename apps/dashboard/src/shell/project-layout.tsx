import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, Outlet } from '@tanstack/react-router';
import { Reauthentication } from '@tessera/react';
import { buttonClass } from '@tessera/ui';
import { Suspense } from 'react';
import { UnsavedFormsGuard } from '../components/form/unsaved-forms.tsx';
import { ContentSkeleton } from '../components/page/content-skeleton.tsx';
import { NotFound } from '../components/page/not-found.tsx';
import { Problem } from '../components/page/problem.tsx';
import { ViewerNotice } from '../components/page/viewer-notice.tsx';
import { ProjectProvider, rolesQuery, useOwner, useProjects } from '../data/owner.tsx';
import { projectRoute } from '../routes/project.ts';
import { words } from '../words.ts';
import { Shell } from './shell.tsx';

export const route = createLazyRoute('/owner/projects/$projectId')({ component: ProjectLayout });

function ProjectLayout() {
  const { projectId } = projectRoute.useParams();
  const owner = useOwner();
  const projects = useProjects();
  const roles = useQuery(rolesQuery(owner));
  const project = projects.data?.find(one => one.id === projectId);
  const failed = [projects, roles].find(query => query.isLoadingError);

  return (
    <Shell project={project}>
      {project !== undefined && roles.data !== undefined ? (
        // A key, so that nothing of one project is ever shown in another.
        <ProjectProvider
          key={project.id}
          project={project}
          // A project that was created a moment ago is missing in the list of roles.
          role={roles.data.find(one => one.projectId === project.id)?.role ?? 'owner'}
        >
          <ViewerNotice />
          {/* Repeats what the server refuses because the sign-in is too old, after the person proved the identity. */}
          <Reauthentication user={owner}>
            <UnsavedFormsGuard>
              <Suspense fallback={<ContentSkeleton />}>
                <Outlet />
              </Suspense>
            </UnsavedFormsGuard>
          </Reauthentication>
        </ProjectProvider>
      ) : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : projects.isSuccess && project === undefined ? (
        <NoSuchProject />
      ) : (
        <ContentSkeleton />
      )}
    </Shell>
  );
}

function NoSuchProject() {
  const owner = useOwner();
  return (
    <NotFound
      title={words.notFound.projectTitle}
      action={
        <Link to="/" className={buttonClass({ variant: 'secondary' })}>
          {words.notFound.home}
        </Link>
      }
    >
      {words.notFound.projectText} {owner.primaryEmail ?? owner.displayName ?? owner.id}.
    </NotFound>
  );
}
