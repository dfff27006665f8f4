import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

beforeEach(() => {
  document.body.innerHTML = '<main><h1>Keys</h1><p tabindex="0">Note</p><button>Delete</button></main>';
});

afterEach(() => {
  document.body.innerHTML = '';
});

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`no element matches ${selector}`);
  return element;
}

test.each([
  { place: 'h1', tabIndex: '-1' },
  { place: 'p', tabIndex: '0' },
])('when the focused button is removed, the $place gets the focus with the tabindex $tabIndex', async row => {
  const stop = keepFocus(document.body, () => () => find(row.place));
  find('button').focus();
  find('button').remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(find(row.place)));
  expect(find(row.place).getAttribute('tabindex')).toBe(row.tabIndex);
  stop();
});
