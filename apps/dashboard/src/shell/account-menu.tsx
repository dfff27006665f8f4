import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@tessera/ui';
import { CircleUserRound, LogOut, SunMoon } from 'lucide-react';
import type { LoadedMenuProps } from '../components/lazy-menu.tsx';
import { toggleColorScheme } from '../data/color-scheme.ts';
import { rootRoute } from '../routes/root.tsx';
import { words } from '../words.ts';

/** The actions of the signed-in user for the own account. */
export default function AccountMenu({ defaultOpen, trigger }: LoadedMenuProps) {
  const { app } = rootRoute.useRouteContext();
  return (
    <DropdownMenu modal={false} defaultOpen={defaultOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
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
