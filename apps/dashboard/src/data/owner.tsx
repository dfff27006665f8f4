import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { DashboardApp } from '../app.ts';

/** The signed-in user of `internal`. */
export type Owner = NonNullable<ReturnType<DashboardApp['useUser']>>;

/** A project of the owner, with an admin app for it. */
export type OwnedProject = Awaited<ReturnType<Owner['listOwnedProjects']>>[number];

const OwnerContext = createContext<Owner | undefined>(undefined);

export function OwnerProvider({ user, children }: { readonly user: Owner; readonly children: ReactNode }) {
  return <OwnerContext value={user}>{children}</OwnerContext>;
}

/** The signed-in owner. Every page below the owner layout has one. */
export function useOwner(): Owner {
  const user = use(OwnerContext);
  if (user === undefined) throw new Error('useOwner needs the owner layout around it');
  return user;
}

/** The projects of the owner. */
export function projectsQuery(user: Owner) {
  return queryOptions({ queryKey: ['projects', user.id], queryFn: () => user.listOwnedProjects() });
}

/** Reads the projects of the owner. */
export function useProjects() {
  return useQuery(projectsQuery(useOwner()));
}

const ProjectContext = createContext<OwnedProject | undefined>(undefined);

export function ProjectProvider({
  project,
  children,
}: {
  readonly project: OwnedProject;
  readonly children: ReactNode;
}) {
  return <ProjectContext value={project}>{children}</ProjectContext>;
}

/** The project of the address. Every page below the project layout has one. */
export function useProject(): OwnedProject {
  const project = use(ProjectContext);
  if (project === undefined) throw new Error('useProject needs the project layout around it');
  return project;
}
