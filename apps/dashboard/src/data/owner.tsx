import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ProjectRole } from '@tessera/client';
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

/** The role of the owner in each project. Its key begins with that of the projects, so that both are read again together. */
export function rolesQuery(user: Owner) {
  return queryOptions({ queryKey: ['projects', user.id, 'roles'], queryFn: () => user.listProjectRoles() });
}

const ProjectContext = createContext<OwnedProject | undefined>(undefined);

const RoleContext = createContext<ProjectRole>('owner');

interface ProjectProviderProps {
  readonly project: OwnedProject;
  /** The role of the signed-in user in the project. */
  readonly role: ProjectRole;
  readonly children: ReactNode;
}

export function ProjectProvider({ project, role, children }: ProjectProviderProps) {
  return (
    <ProjectContext value={project}>
      <RoleContext value={role}>{children}</RoleContext>
    </ProjectContext>
  );
}

/** The role of the signed-in user in the project of the address. The server enforces it; pages only explain it. */
export function useRole(): ProjectRole {
  return use(RoleContext);
}

/** The name of the project of the address; undefined outside of projects. */
export function useProjectName(): string | undefined {
  return use(ProjectContext)?.displayName;
}

/** The project of the address. Every page below the project layout has one. */
export function useProject(): OwnedProject {
  const project = use(ProjectContext);
  if (project === undefined) throw new Error('useProject needs the project layout around it');
  return project;
}
