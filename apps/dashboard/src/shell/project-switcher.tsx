import { Avatar, initialsOf } from '@tessera/ui';
import { ChevronsUpDown } from 'lucide-react';
import { lazy } from 'react';
import { LazyMenu } from '../components/lazy-menu.tsx';
import { shownName } from '../data/names/shown-name.ts';
import { type OwnedProject, useProjects } from '../data/owner.tsx';
import { words } from '../words.ts';

const ProjectMenu = lazy(() => import('./project-menu.tsx'));

/** Shows the project of the page, and leads to the others. */
export function ProjectSwitcher({ project }: { readonly project: OwnedProject | undefined }) {
  const { isSuccess } = useProjects();
  const isMissing = isSuccess && project === undefined;
  return (
    <LazyMenu Menu={ProjectMenu} className="tss:justify-start tss:px-2 tss:[&>span]:w-full tss:[&>span]:min-w-0">
      <Avatar size={28} initials={project && initialsOf(project.displayName)} />
      {isMissing || <span className="tss:sr-only">{words.navigation.switchProject}:</span>}
      <span className="tss:min-w-0 tss:flex-1 tss:line-clamp-1 tss:break-all tss:text-start tss:font-semibold">
        {isMissing ? words.navigation.switchProject : project && shownName(project.displayName)}
      </span>
      <ChevronsUpDown aria-hidden size={16} />
    </LazyMenu>
  );
}
