import { useNavigate } from '@tanstack/react-router';
import {
  Avatar,
  Button,
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
  initialsOf,
} from '@tessera/ui';
import { Check, ChevronsUpDown, LayoutGrid, Plus } from 'lucide-react';
import { type OwnedProject, useProjects } from '../data/owner.tsx';
import { words } from '../words.ts';

/** Shows the project of the page, and leads to the others. */
export function ProjectSwitcher({ project }: { readonly project: OwnedProject | undefined }) {
  const { data: projects = [] } = useProjects();
  const navigate = useNavigate();
  const open = (projectId: string) => () => void navigate({ to: '/projects/$projectId', params: { projectId } });

  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="quiet" className="tss:justify-start tss:px-2 tss:[&>span]:w-full tss:[&>span]:min-w-0">
          <Avatar size={28} initials={project && initialsOf(project.displayName)} />
          <span className="tss:sr-only">{words.navigation.switchProject}:</span>
          <span className="tss:min-w-0 tss:flex-1 tss:truncate tss:text-start tss:font-semibold">
            {project?.displayName}
          </span>
          <ChevronsUpDown aria-hidden size={16} />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {projects.map(one => (
          <DropdownMenuItem key={one.id} onSelect={open(one.id)}>
            <span className="tss:min-w-0 tss:flex-1 tss:truncate">{one.displayName}</span>
            {one.id === project?.id && <Check aria-hidden />}
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void navigate({ to: '/' })}>
          <LayoutGrid aria-hidden />
          {words.navigation.allProjects}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void navigate({ to: '/new-project' })}>
          <Plus aria-hidden />
          {words.palette.createProject}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
