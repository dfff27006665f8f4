import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageRoot } from '../../test/page-root.ts';
import { ColumnChooser } from './column-chooser.tsx';
import type { Column } from './table-props.ts';

const columns: Column<{ id: string }>[] = [
  { id: 'methods', header: 'Methods', meta: { chooserLabel: 'Sign-in methods' } },
  { id: 'seen', header: 'Seen', meta: { chooserLabel: 'Last active' } },
];

const onChange = vi.fn();
const root = pageRoot();

beforeEach(() => {
  act(() =>
    root.render(
      <>
        <ColumnChooser columns={columns} hidden={['seen']} onChange={onChange} />
        <p>Table</p>
      </>,
    ),
  );
  get('details').open = true;
});

afterEach(() => onChange.mockReset());

test('the list of columns stays open while columns are chosen in it', () => {
  press(get('input:not(:checked)'));
  expect(onChange).toHaveBeenCalledWith([]);
  expect(get('details').open).toBe(true);
});

test('a press outside the list of columns closes it', () => {
  press(get('p'));
  expect(get('details').open).toBe(false);
});

test('Escape closes the list of columns and moves the focus to its button', () => {
  get('input').focus();
  act(() => void get('input').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
  expect(get('details').open).toBe(false);
  expect(document.activeElement).toBe(get('summary'));
});

function get<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name];
function get(selector: string): HTMLElement;
function get(selector: string): HTMLElement {
  const found = root.element().querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`No ${selector} is shown.`);
  return found;
}

function press(target: HTMLElement): void {
  act(() => {
    target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    target.click();
  });
}
