import { createLazyRoute, Link } from '@tanstack/react-router';
import { Badge, buttonClass, Skeleton } from '@tessera/ui';
import { FolderPlus, Plus } from 'lucide-react';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { shownName } from '../../data/names/shown-name.ts';
import { type OwnedProject, useProjects } from '../../data/owner.tsx';
import { PlainShell } from '../../shell/plain-shell.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/')({ component: ProjectList });

function ProjectList() {
  const projects = useProjects();
  const create = (
    <Link to="/new-project" className={buttonClass()}>
      <Plus aria-hidden size={16} />
      {words.create}
    </Link>
  );

  return (
    <PlainShell>
      <PageHeader title={words.title} description={words.description} actions={create} />
      {projects.isPending && <ListSkeleton />}
      {projects.isLoadingError && <Problem error={projects.error} retry={projects.refetch} />}
      {projects.data?.length === 0 && (
        <EmptyState title={words.empty} icon={<FolderPlus aria-hidden />} action={create}>
          <p>{words.emptyText}</p>
          {/* An invitation is accepted by its link only. */}
          <p className="tss:mt-3">{words.invited}</p>
        </EmptyState>
      )}
      {projects.data && projects.data.length > 0 && (
        <ul className="tss:grid tss:gap-3 tss:sm:grid-cols-2 tss:lg:grid-cols-3">
          {projects.data.map(project => (
            <li key={project.id} className="tss:block">
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
    </PlainShell>
  );
}

function ProjectCard({ project }: { readonly project: OwnedProject }) {
  const isInternal = project.id === 'internal';
  const description = isInternal ? words.internalNote : project.description;
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: project.id }}
      className="tss:grid tss:h-full tss:content-start tss:gap-2 tss:rounded-xl tss:border tss:border-border tss:bg-card tss:p-5 tss:text-card-foreground tss:hover:border-input"
    >
      <span className="tss:flex tss:items-start tss:justify-between tss:gap-3">
        <span className="tss:line-clamp-3 tss:min-w-0 tss:font-semibold tss:wrap-anywhere">
          {shownName(project.displayName)}
        </span>
        {/* The installation has its own mode. */}
        {!isInternal && <Badge>{project.isProductionMode ? words.production : words.development}</Badge>}
      </span>
      {description && (
        <span className="tss:line-clamp-4 tss:text-sm tss:wrap-anywhere tss:text-muted-foreground">{description}</span>
      )}
      <span className="tss:text-xs tss:text-muted-foreground">
        {words.created} <RelativeTime at={project.createdAt} />
      </span>
    </Link>
  );
}

function ListSkeleton() {
  return (
    <div className="tss:grid tss:gap-3 tss:sm:grid-cols-2 tss:lg:grid-cols-3">
      {['first', 'second', 'third'].map(key => (
        <Skeleton key={key} className="tss:h-32" />
      ))}
    </div>
  );
}
