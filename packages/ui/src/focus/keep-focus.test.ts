import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

beforeEach(() => {
  document.body.innerHTML = '<main><h1>Keys</h1><button>Delete</button></main>';
});

afterEach(() => {
  document.body.innerHTML = '';
});

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`no element matches ${selector}`);
  return element;
}

test('when the focused button is removed, the element that was named gets the focus', async () => {
  const stop = keepFocus(document.body, () => () => find('h1'));
  find('button').focus();
  find('button').remove();
  await vi.waitFor(() => expect(document.activeElement).toBe(find('h1')));
  expect(find('h1').tabIndex).toBe(-1);
  stop();
});
