import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { button } from '../../../test/settings-page.tsx';
import { show, violations } from '../../../test/show.tsx';
import { PageSurface } from '../../cards/surface.tsx';
import { nextIndex } from './action-menu.tsx';
import { RowMenu } from './row-menu.tsx';

async function open(actions: readonly string[] = ['Rename', 'Remove']) {
  const act = vi.fn();
  const view = await show(
    <PageSurface>
      <RowMenu of="Key" actions={actions.map(text => ({ text, act: () => act(text) }))} />
    </PageSurface>,
  );
  return { ...view, act, visitor: userEvent.setup() };
}

const trigger = () => button('More actions: Key');
const focused = () => document.activeElement?.textContent;
const isOpen = () => screen.queryByRole('menu') !== null;

describe('the menu of a row', () => {
  it('opens by a click, runs the chosen action and returns the focus to its button', async () => {
    const { visitor, act, container } = await open();
    expect(trigger().getAttribute('aria-expanded')).toBe('false');
    await visitor.click(trigger());
    expect(trigger().getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe('Rename');
    expect(await violations(container)).toEqual([]);
    await visitor.click(screen.getByRole('menuitem', { name: 'Remove' }));
    expect(act).toHaveBeenCalledExactlyOnceWith('Remove');
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(trigger());
  });

  it('is used with the keyboard', async () => {
    const { visitor, act } = await open();
    trigger().focus();
    await visitor.keyboard('{ArrowUp}');
    expect(focused()).toBe('Remove');
    await visitor.keyboard('{ArrowDown}');
    expect(focused()).toBe('Rename');
    await visitor.keyboard('{End}{Home}{Escape}');
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(trigger());
    await visitor.keyboard('{ArrowDown}{Enter}');
    expect(act).toHaveBeenCalledExactlyOnceWith('Rename');
  });

  it('closes at a second click on its button, and when the focus leaves it', async () => {
    const { visitor } = await open();
    await visitor.click(trigger());
    await visitor.click(trigger());
    expect(isOpen()).toBe(false);
    await visitor.click(trigger());
    await visitor.tab();
    expect(isOpen()).toBe(false);
    await visitor.click(trigger());
    await visitor.click(document.body);
    expect(isOpen()).toBe(false);
  });

  it('is left out for a row without actions', async () => {
    await open([]);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

it.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['ArrowUp', -1, 2],
  ['Home', 1, 0],
  ['End', 1, 2],
  ['a', 1, undefined],
])('%s at item %i of three goes to %s', (key, index, next) => {
  expect(nextIndex(key, index, 3)).toBe(next);
});
