import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Dialog, isEmail } from '@tessera/ui';
import { Command } from 'cmdk';
import { FolderOpen, LogOut, Plus, Search, SunMoon, User } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { toggleColorScheme } from '../data/color-scheme.ts';
import { useProjects } from '../data/owner.tsx';
import { rootRoute } from '../routes/root.tsx';
import { navigation } from '../sections/navigation.ts';
import { words as common } from '../words.ts';
import { matchCommand } from './palette-filter.ts';
import { words } from './palette-words.ts';

const searches = [
  { to: '/projects/$projectId/users', label: words.searchUsers },
  { to: '/projects/$projectId/teams', label: words.searchTeams },
] as const;

/** Of an address; the list of users has all. */
const shownUsers = 5;

/** Goes to sections and projects, searches users and teams, and runs actions, by typing. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { projectId } = useParams({ strict: false });
  const { data: projects = [] } = useProjects();
  const navigate = useNavigate();
  const { app } = rootRoute.useRouteContext();
  const query = text.trim();
  const input = useRef<HTMLInputElement>(null);

  // After the dialog opened, which moves the focus to its first element.
  useEffect(() => input.current?.focus(), []);

  const run = (action: () => unknown) => () => {
    onClose();
    void action();
  };

  return (
    <Dialog title={words.label} onClose={onClose}>
      <Command label={words.label} loop filter={matchCommand} className="tessera-palette tss:grid tss:gap-3">
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          placeholder={words.placeholder}
          className="tessera-input tss:min-h-11 tss:w-full tss:rounded-md tss:border tss:border-input tss:bg-card tss:px-3 tss:text-base"
        />
        <Command.List className="tss:max-h-[50dvh] tss:overflow-y-auto">
          <Command.Empty className="tss:p-4 tss:text-center tss:text-sm tss:text-muted-foreground">
            {words.empty}
          </Command.Empty>
          {projectId !== undefined && isEmail(query) && <FoundUsers projectId={projectId} address={query} run={run} />}
          {projectId !== undefined && (
            <Group heading={words.sections}>
              {navigation.map(({ to, title, Icon }) => (
                <Item
                  key={to}
                  value={title}
                  keywords={words.keywords[title]}
                  icon={<Icon aria-hidden />}
                  onSelect={run(() => navigate({ to, params: { projectId } }))}
                >
                  {title}
                </Item>
              ))}
              {query !== '' &&
                searches.map(({ to, label }) => (
                  <Item
                    key={to}
                    value={label(query)}
                    icon={<Search aria-hidden />}
                    onSelect={run(() => navigate({ to, params: { projectId }, search: { q: query } }))}
                  >
                    {label(query)}
                  </Item>
                ))}
            </Group>
          )}
          <Group heading={words.projects}>
            {projects.map(project => (
              <Item
                key={project.id}
                value={`${project.displayName} ${project.id}`}
                icon={<FolderOpen aria-hidden />}
                onSelect={run(() => navigate({ to: '/projects/$projectId', params: { projectId: project.id } }))}
              >
                {project.displayName}
              </Item>
            ))}
          </Group>
          <Group heading={words.actions}>
            <Item
              value={common.navigation.createProject}
              icon={<Plus aria-hidden />}
              onSelect={run(() => navigate({ to: '/new-project' }))}
            >
              {common.navigation.createProject}
            </Item>
            <Item
              value={common.account.toggleTheme}
              keywords={[words.theme]}
              icon={<SunMoon aria-hidden />}
              onSelect={run(toggleColorScheme)}
            >
              {common.account.toggleTheme}
            </Item>
            <Item
              value={common.account.signOut}
              icon={<LogOut aria-hidden />}
              onSelect={run(() => app.redirectToSignOut())}
            >
              {common.account.signOut}
            </Item>
          </Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}

interface FoundUsersProps {
  readonly projectId: string;
  /** A whole email address. */
  readonly address: string;
  readonly run: (action: () => unknown) => () => void;
}

/** The users with an address. */
function FoundUsers({ projectId, address, run }: FoundUsersProps) {
  const { data: projects = [] } = useProjects();
  const project = projects.find(({ id }) => id === projectId);
  const navigate = useNavigate();
  const { data: users = [] } = useQuery({
    queryKey: ['project', projectId, 'users', 'palette', address],
    queryFn: async () => (await project?.app.findUsers({ query: address, limit: shownUsers })) ?? [],
    enabled: project !== undefined,
  });
  if (users.length === 0) return null;
  return (
    <Group heading={words.users}>
      {users.map(({ id, displayName, primaryEmail }) => (
        <Item
          key={id}
          value={`${address} ${id}`}
          icon={<User aria-hidden />}
          onSelect={run(() =>
            navigate({ to: '/projects/$projectId/users/$userId', params: { projectId, userId: id } }),
          )}
        >
          {displayName === null ? primaryEmail : `${displayName} · ${primaryEmail}`}
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="tss:[&[hidden]]:hidden tss:[&_[cmdk-group-heading]]:px-3 tss:[&_[cmdk-group-heading]]:py-2 tss:[&_[cmdk-group-heading]]:text-xs tss:[&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  readonly value: string;
  /** Also match what is typed. */
  readonly keywords?: readonly string[];
  readonly icon: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ icon, keywords = [], children, ...rest }: ItemProps) {
  return (
    <Command.Item
      {...rest}
      keywords={[...keywords]}
      className="tss:flex tss:min-h-10 tss:cursor-pointer tss:items-center tss:gap-3 tss:rounded-md tss:px-3 tss:text-sm tss:data-[selected=true]:bg-accent tss:data-[selected=true]:text-accent-foreground tss:[&_svg]:size-4 tss:[&_svg]:shrink-0"
    >
      {icon}
      <span className="tss:truncate">{children}</span>
    </Command.Item>
  );
}
