// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from './dropdown-menu.tsx';
import { ThemeProvider } from './theme/theme-provider.tsx';
import { ThemeRoot } from './theme/theme-root.tsx';

afterEach(cleanup);

function renderMenu(onSignOut = vi.fn()) {
  render(
    <ThemeProvider theme={{ light: { primary: '#123456' } }}>
      <ThemeRoot data-testid="root">
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button>Account</Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            <DropdownMenuItem>Settings</DropdownMenuItem>
            <DropdownMenuItem disabled>Teams</DropdownMenuItem>
            <DropdownMenuItem onSelect={onSignOut}>Sign out</DropdownMenuItem>
          </DropdownMenuContent>
        </DropdownMenu>
      </ThemeRoot>
    </ThemeProvider>,
  );
  return onSignOut;
}

describe('DropdownMenu', () => {
  test('opens by key, skips disabled items, selects by key and restores the focus', async () => {
    const onSignOut = renderMenu();
    const trigger = screen.getByRole('button', { name: 'Account' });
    trigger.focus();

    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Settings' }));

    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Sign out' }));

    await userEvent.keyboard('{Enter}');
    expect(onSignOut).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('menu')).toBeNull();
    await vi.waitFor(() => expect(document.activeElement).toBe(trigger), { timeout: 20_000 });
  });

  test('Escape closes it without a selection', async () => {
    const onSignOut = renderMenu();
    await userEvent.click(screen.getByRole('button', { name: 'Account' }));
    await userEvent.keyboard('{Escape}');

    expect(screen.queryByRole('menu')).toBeNull();
    expect(onSignOut).not.toHaveBeenCalled();
  });

  test('renders in a root of its own with the theme of its trigger', async () => {
    renderMenu();
    await userEvent.click(screen.getByRole('button', { name: 'Account' }));

    const root = screen.getByTestId('root');
    const portal = screen.getByRole('menu').closest<HTMLElement>('.tessera-root');
    expect(portal).not.toBe(root);
    expect(portal?.dataset.tesseraTheme).toBe(root.dataset.tesseraTheme);
    expect(root.dataset.tesseraTheme).toMatch(/^t[\da-z]+$/);
  });
});
