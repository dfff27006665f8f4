import { Link, useLocation } from '@tanstack/react-router';
import { Button, classNames } from '@tessera/ui';
import { Menu, Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { KeepFocus } from '../components/page/keep-focus.tsx';
import { InShellContext } from '../components/page/page-failed.tsx';
import { shownName } from '../data/names/shown-name.ts';
import type { OwnedProject } from '../data/owner.tsx';
import { navigation } from '../sections/navigation.ts';
import type { SectionGroup } from '../sections/section.ts';
import { words } from '../words.ts';
import { AccountButton } from './account-button.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { paletteKeys, useOpenPalette } from './palette/palette-host.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';

interface ShellProps {
  /** Undefined while the projects are loading, and for an address that names no project of the owner. */
  readonly project: OwnedProject | undefined;
  readonly children: ReactNode;
}

/** The frame of a project: navigation beside the page, or behind a menu button on phones. */
export function Shell({ project, children }: ShellProps) {
  const { pathname } = useLocation();
  return (
    <div className="tss:grid tss:min-h-dvh tss:grid-cols-[minmax(0,1fr)] tss:content-start tss:md:grid-cols-[15rem_minmax(0,1fr)] tss:print:block">
      <a
        href="#content"
        className="tss:sr-only tss:focus:not-sr-only tss:focus:fixed tss:focus:start-2 tss:focus:top-2 tss:focus:z-50 tss:focus:rounded-md tss:focus:bg-card tss:focus:p-3"
      >
        {words.skipToContent}
      </a>
      <TopBar key={pathname} project={project} />
      <aside className="tss:sticky tss:top-0 tss:hidden tss:h-dvh tss:grid-cols-[minmax(0,1fr)] tss:grid-rows-[auto_minmax(0,1fr)_auto] tss:border-e tss:border-border tss:bg-card tss:md:grid tss:print:hidden">
        <Sidebar project={project} />
      </aside>
      <div>
        {/* Beside the sidebar, whose foot it would push out of the window, and below the bar of phones. */}
        <div className="tss:sticky tss:top-15 tss:z-10 tss:md:top-0 tss:md:z-20">
          <ConnectionBanner />
        </div>
        <main
          id="content"
          tabIndex={-1}
          className="tss:mx-auto tss:grid tss:w-full tss:max-w-[80rem] tss:grid-cols-[minmax(0,1fr)] tss:content-start tss:gap-6 tss:p-4 tss:wrap-break-word tss:outline-none tss:md:p-8"
        >
          <KeepFocus />
          <InShellContext value={true}>{children}</InShellContext>
        </main>
      </div>
    </div>
  );
}

function Sidebar({ project }: Pick<ShellProps, 'project'>) {
  const openPalette = useOpenPalette();
  return (
    <>
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2 tss:p-3">
        <ProjectSwitcher project={project} />
        <Button
          variant="secondary"
          size="sm"
          className="tss:justify-start tss:text-muted-foreground"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={openPalette}
        >
          <Search aria-hidden size={16} />
          {words.navigation.search}
          <kbd className="tss:text-xs">{paletteKeys}</kbd>
        </Button>
      </div>
      <Navigation projectId={project?.id} />
      <div className="tss:border-t tss:border-border tss:p-3">
        <AccountButton showInfo />
      </div>
    </>
  );
}

/** The bar of phones. Its menu is a modal dialog that covers the page. */
function TopBar({ project }: Pick<ShellProps, 'project'>) {
  const [isOpen, setOpen] = useState(false);
  const openPalette = useOpenPalette();
  return (
    <header className="tss:sticky tss:top-0 tss:z-10 tss:flex tss:items-center tss:gap-2 tss:border-b tss:border-border tss:bg-card tss:p-2 tss:md:hidden tss:print:hidden">
      <Button variant="quiet" size="icon" aria-label={words.navigation.open} onClick={() => setOpen(true)}>
        <Menu aria-hidden size={20} />
      </Button>
      <p className="tss:min-w-0 tss:flex-1 tss:line-clamp-1 tss:break-all tss:font-semibold">
        {project && shownName(project.displayName)}
      </p>
      <Button variant="quiet" size="icon" aria-label={words.navigation.search} onClick={openPalette}>
        <Search aria-hidden size={20} />
      </Button>
      {isOpen && <Drawer project={project} onClose={() => setOpen(false)} />}
    </header>
  );
}

function Drawer({ project, onClose }: Pick<ShellProps, 'project'> & { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    // A click on the backdrop has the dialog itself as its target.
    const closeBeside = (event: MouseEvent) => {
      if (event.target === dialog) onClose();
    };
    dialog?.showModal();
    dialog?.addEventListener('click', closeBeside);
    return () => {
      dialog?.removeEventListener('click', closeBeside);
      dialog?.close();
    };
  }, [onClose]);

  return (
    <dialog
      ref={ref}
      aria-label={words.navigation.label}
      className="tessera-drawer tss:m-0 tss:h-dvh tss:max-h-none tss:w-72 tss:max-w-[85vw] tss:border-e tss:border-border tss:bg-card tss:text-card-foreground tss:backdrop:bg-[rgb(0_0_0/0.5)]"
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="tss:grid tss:h-full tss:grid-cols-[minmax(0,1fr)] tss:grid-rows-[auto_auto_minmax(0,1fr)_auto]">
        <Button
          variant="quiet"
          size="icon"
          className="tss:justify-self-end"
          aria-label={words.navigation.close}
          onClick={onClose}
        >
          <X aria-hidden size={20} />
        </Button>
        <Sidebar project={project} />
      </div>
    </dialog>
  );
}

function Navigation({ projectId }: { readonly projectId: string | undefined }) {
  const groups = Object.entries(words.navigation.groups) as [SectionGroup, string][];
  return (
    <nav
      aria-label={words.navigation.label}
      className="tss:grid tss:content-start tss:gap-3 tss:overflow-y-auto tss:px-3 tss:py-2"
    >
      {projectId !== undefined &&
        groups.map(([group, title]) => {
          const sections = navigation.filter(section => section.group === group);
          return (
            <div key={group} className="tss:grid tss:gap-0.5">
              <p className="tss:px-3 tss:text-xs tss:font-medium tss:text-muted-foreground">{title}</p>
              <ul className="tss:grid">
                {sections.map(({ to, title: name, Icon }) => (
                  <li key={to} className="tss:block">
                    <Link
                      to={to}
                      params={{ projectId }}
                      className={classNames(
                        'tss:flex tss:min-h-10 tss:md:min-h-8 tss:items-center tss:gap-3 tss:rounded-md tss:px-3 tss:text-sm tss:hover:bg-accent',
                        'tss:[&_svg]:size-4 tss:[&_svg]:shrink-0 tss:[&_svg]:text-muted-foreground',
                        'tss:aria-[current=page]:bg-accent tss:aria-[current=page]:font-medium tss:aria-[current=page]:text-accent-foreground',
                      )}
                    >
                      <Icon aria-hidden />
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
    </nav>
  );
}
