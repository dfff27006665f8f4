import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { pageRoot } from '../../test/page-root.ts';
import { KeepFocus } from './keep-focus.tsx';

const root = pageRoot();

interface PageProps {
  readonly rows: readonly string[];
  readonly question?: string;
}

function Page({ rows, question }: PageProps) {
  return (
    <main id="content" tabIndex={-1}>
      <KeepFocus />
      <section id="list">
        {rows.map(row => (
          <button key={row} type="button" id={row}>
            Delete {row}
          </button>
        ))}
      </section>
      {question !== undefined && (
        <dialog open>
          <button type="button" id={question}>
            {question}
          </button>
        </dialog>
      )}
    </main>
  );
}

const show = (page: PageProps) => act(async () => root.render(<Page {...page} />));
const focus = (id: string) => act(() => document.getElementById(id)?.focus());

test('when the focused row is deleted, its panel gets the focus', async () => {
  await show({ rows: ['one', 'two'] });
  focus('one');
  await show({ rows: ['two'] });
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('list'));
});

test('when a dialog closes and the row that opened it is gone, the panel of the row gets the focus', async () => {
  await show({ rows: ['one', 'two'] });
  focus('one');
  await show({ rows: ['one', 'two'], question: 'confirm' });
  focus('confirm');
  await show({ rows: ['two'], question: 'confirm' });
  expect(document.activeElement?.id).toBe('confirm');
  await show({ rows: ['two'] });
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('list'));
});

test('when another row is deleted, the focus stays', async () => {
  await show({ rows: ['one', 'two'] });
  focus('one');
  await show({ rows: ['one'] });
  expect(document.activeElement?.id).toBe('one');
});
