import { createLazyRoute, Link, Outlet } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { Suspense } from 'react';
import { ContentSkeleton } from '../components/content-skeleton.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Problem } from '../components/problem.tsx';
import { ProjectProvider, useOwner, useProjects } from '../data/owner.tsx';
import { projectRoute } from '../routes/project.ts';
import { words } from '../words.ts';
import { Shell } from './shell.tsx';

export const route = createLazyRoute('/owner/projects/$projectId')({ component: ProjectLayout });

function ProjectLayout() {
  const { projectId } = projectRoute.useParams();
  const projects = useProjects();
  const project = projects.data?.find(one => one.id === projectId);

  return (
    <Shell project={project}>
      {project !== undefined ? (
        // A key, so that nothing of one project is ever shown in another.
        <ProjectProvider key={project.id} project={project}>
          <Suspense fallback={<ContentSkeleton />}>
            <Outlet />
          </Suspense>
        </ProjectProvider>
      ) : projects.isError ? (
        <Problem error={projects.error} retry={projects.refetch} />
      ) : projects.isSuccess ? (
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
    <EmptyState
      title={words.notFound.projectTitle}
      action={
        <Link to="/" className={buttonClass({ variant: 'secondary' })}>
          {words.notFound.home}
        </Link>
      }
    >
      {words.notFound.projectText} {owner.primaryEmail ?? owner.displayName ?? owner.id}.
    </EmptyState>
  );
}
