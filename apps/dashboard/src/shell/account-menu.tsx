import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@tessera/ui';
import { CircleUserRound, LogOut, SunMoon } from 'lucide-react';
import type { LoadedMenuProps } from '../components/lazy-menu.tsx';
import { toggleColorScheme } from '../data/browser/color-scheme.ts';
import { useOwner } from '../data/owner.tsx';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';

/** The actions of the signed-in user for the own account. */
export default function AccountMenu({ defaultOpen, trigger }: LoadedMenuProps) {
  const { app } = rootRoute.useRouteContext();
  const { displayName, primaryEmail, id } = useOwner();
  return (
    <DropdownMenu modal={false} defaultOpen={defaultOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
        {/* The button cuts the end of a long name or address. */}
        <DropdownMenuLabel className="tss:wrap-anywhere">
          <span className="tss:line-clamp-3 tss:font-medium">{displayName}</span>
          {primaryEmail ?? id}
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void app.redirectToAccountSettings()}>
          <CircleUserRound aria-hidden />
          {words.account.settings}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={toggleColorScheme}>
          <SunMoon aria-hidden />
          {words.account.toggleTheme}
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => app.redirectToSignOut()}>
          <LogOut aria-hidden />
          {words.account.signOut}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
