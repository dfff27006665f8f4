import { UserButton } from '@tessera/react';
import { useColorScheme } from './color-scheme.ts';
import { Link } from './router.tsx';

/** The header of every page: name, links, colour scheme, and user button. */
export function Header({ path }: { path: string }) {
  const [scheme, switchScheme] = useColorScheme();
  const other = scheme === 'dark' ? 'light' : 'dark';

  return (
    <header className="header">
      <Link href="/" className="brand">
        <img src="/favicon.svg" alt="" width={28} height={28} />
        <span>Shelfmark</span>
      </Link>
      <nav aria-label="Main">
        <Link href="/shelf" aria-current={path === '/shelf' ? 'page' : undefined}>
          Your shelf
        </Link>
        <Link
          href="/project-settings"
          className="icon-button"
          aria-label="Project settings"
          aria-current={path === '/project-settings' ? 'page' : undefined}
        >
          <Sliders />
        </Link>
        <button type="button" className="icon-button" aria-label={`Switch to ${other} colours`} onClick={switchScheme}>
          {scheme === 'dark' ? <Sun /> : <Moon />}
        </button>
        <UserButton colorModeToggle={switchScheme} />
      </nav>
    </header>
  );
}

function Sliders() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="13" cy="7" r="2.500" />
      <circle cx="11" cy="17" r="2.500" />
      <path d="M4 7h6.500M15.500 7H20M4 17h4.500M13.500 17H20" />
    </svg>
  );
}

function Sun() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400" />
    </svg>
  );
}

function Moon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z" />
    </svg>
  );
}
