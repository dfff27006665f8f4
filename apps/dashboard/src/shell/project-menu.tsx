import { useNavigate, useParams } from '@tanstack/react-router';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@tessera/ui';
import { Check, LayoutGrid, Plus } from 'lucide-react';
import type { LoadedMenuProps } from '../components/lazy-menu.tsx';
import { shownName } from '../data/names/shown-name.ts';
import { useProjects } from '../data/owner.tsx';
import { words } from '../words.ts';

/** The projects of the owner, and how to get to all of them and to a new one. */
export default function ProjectMenu({ defaultOpen, trigger }: LoadedMenuProps) {
  const { data: projects = [] } = useProjects();
  const { projectId: current } = useParams({ strict: false });
  const navigate = useNavigate();
  const open = (projectId: string) => () => void navigate({ to: '/projects/$projectId', params: { projectId } });

  return (
    <DropdownMenu modal={false} defaultOpen={defaultOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {projects.map(one => (
          <DropdownMenuItem key={one.id} onSelect={open(one.id)}>
            <span className="tss:min-w-0 tss:flex-1 tss:line-clamp-3 tss:wrap-anywhere">
              {shownName(one.displayName)}
            </span>
            {one.id === current && <Check aria-hidden />}
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void navigate({ to: '/' })}>
          <LayoutGrid aria-hidden />
          {words.navigation.allProjects}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void navigate({ to: '/new-project' })}>
          <Plus aria-hidden />
          {words.navigation.createProject}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
