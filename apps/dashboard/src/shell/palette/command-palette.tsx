import { useNavigate, useParams } from '@tanstack/react-router';
import { Dialog } from '@tessera/ui';
import { Command } from 'cmdk';
import { FolderOpen, LogOut, Plus, Search, SunMoon } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { toggleColorScheme } from '../../data/browser/color-scheme.ts';
import { shownName } from '../../data/names/shown-name.ts';
import { useProjects } from '../../data/owner.tsx';
import { rootRoute } from '../../routes/root.tsx';
import { navigation } from '../../sections/navigation.ts';
import { words as common } from '../../words.ts';
import { FoundItems } from './found-items.tsx';
import { matchCommand } from './palette-filter.ts';
import { PaletteInput } from './palette-input.tsx';
import { PaletteGroup, PaletteItem } from './palette-item.tsx';
import { words } from './palette-words.ts';
import type { TypedKeys } from './typed-keys.ts';

const searches = [
  { to: '/projects/$projectId/users', label: words.searchUsers },
  { to: '/projects/$projectId/teams', label: words.searchTeams },
] as const;

interface CommandPaletteProps {
  /** What was typed before the field had the focus. */
  readonly typed: RefObject<TypedKeys | undefined>;
  readonly onClose: () => void;
}

/** Goes to sections, users and projects, searches users and teams, and runs actions, by typing. */
export default function CommandPalette({ typed, onClose }: CommandPaletteProps) {
  const [text, setText] = useState('');
  const { projectId } = useParams({ strict: false });
  const query = text.trim();

  const run: Run = action => () => {
    onClose();
    void action();
  };

  return (
    <Dialog title={words.label} onClose={onClose}>
      <Command label={words.label} loop filter={matchCommand} className="tessera-palette tss:grid tss:gap-3">
        <PaletteInput typed={typed} text={text} onChange={setText} />
        <Command.List className="tss:max-h-[50dvh] tss:overflow-y-auto">
          <Command.Empty className="tss:p-4 tss:text-center tss:text-sm tss:text-muted-foreground">
            {words.empty}
          </Command.Empty>
          {projectId !== undefined && <Sections projectId={projectId} query={query} run={run} />}
          {projectId !== undefined && <FoundItems projectId={projectId} query={query} run={run} />}
          <Projects run={run} />
          <Actions run={run} />
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** Closes the palette before the action. */
type Run = (action: () => unknown) => () => void;

interface SectionsProps {
  readonly projectId: string;
  readonly query: string;
  readonly run: Run;
}

function Sections({ projectId, query, run }: SectionsProps) {
  const navigate = useNavigate();
  return (
    <PaletteGroup heading={words.sections}>
      {navigation.map(({ to, title, Icon }) => (
        <PaletteItem
          key={to}
          value={title}
          keywords={words.keywords[title]}
          icon={<Icon aria-hidden />}
          onSelect={run(() => navigate({ to, params: { projectId } }))}
        >
          {title}
        </PaletteItem>
      ))}
      {query !== '' &&
        searches.map(({ to, label }) => (
          <PaletteItem
            key={to}
            value={label(query)}
            icon={<Search aria-hidden />}
            onSelect={run(() => navigate({ to, params: { projectId }, search: { q: query } }))}
          >
            {label(query)}
          </PaletteItem>
        ))}
    </PaletteGroup>
  );
}

function Projects({ run }: { readonly run: Run }) {
  const { data: projects = [] } = useProjects();
  const navigate = useNavigate();
  return (
    <PaletteGroup heading={words.projects}>
      {projects.map(project => (
        <PaletteItem
          key={project.id}
          value={`${project.displayName} ${project.id}`}
          icon={<FolderOpen aria-hidden />}
          onSelect={run(() => navigate({ to: '/projects/$projectId', params: { projectId: project.id } }))}
        >
          {shownName(project.displayName)}
        </PaletteItem>
      ))}
    </PaletteGroup>
  );
}

function Actions({ run }: { readonly run: Run }) {
  const navigate = useNavigate();
  const { app } = rootRoute.useRouteContext();
  return (
    <PaletteGroup heading={words.actions}>
      <PaletteItem
        value={common.navigation.createProject}
        icon={<Plus aria-hidden />}
        onSelect={run(() => navigate({ to: '/new-project' }))}
      >
        {common.navigation.createProject}
      </PaletteItem>
      <PaletteItem
        value={common.account.toggleTheme}
        keywords={[words.theme]}
        icon={<SunMoon aria-hidden />}
        onSelect={run(toggleColorScheme)}
      >
        {common.account.toggleTheme}
      </PaletteItem>
      <PaletteItem
        value={common.account.signOut}
        icon={<LogOut aria-hidden />}
        onSelect={run(() => app.redirectToSignOut())}
      >
        {common.account.signOut}
      </PaletteItem>
    </PaletteGroup>
  );
}
