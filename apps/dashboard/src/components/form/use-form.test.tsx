import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { pageRoot } from '../../test/page-root.ts';
import { useForm } from './use-form.ts';

interface Policy {
  readonly lifetime: string;
  readonly idle: string;
}

const save = vi.fn(async (_: Partial<Policy>) => {});
const root = pageRoot();

beforeEach(() => {
  save.mockClear();
  edited = 'a day';
  resets = false;
});

let edited = 'a day';
let resets = false;

function PolicyForm({ stored }: { readonly stored: Policy }) {
  const form = useForm<Policy>({
    initial: stored,
    submit: async (values, onlyChanged) => {
      await save(onlyChanged(values));
      if (resets) form.reset();
    },
  });
  return (
    <form onSubmit={form.onSubmit}>
      <button type="button" onClick={() => form.set('lifetime', edited)}>
        {`${form.values.lifetime}, ${form.values.idle}, ${form.isChanged ? 'changed' : 'as stored'}`}
      </button>
    </form>
  );
}

const show = (lifetime: string, idle: string) => act(() => root.render(<PolicyForm stored={{ lifetime, idle }} />));
const edit = () => act(() => root.element().querySelector('button')?.click());
const submit = () => act(async () => root.element().querySelector('form')?.requestSubmit());

test('a field that is not edited follows a change of another admin, and nothing is to be saved', () => {
  show('a year', 'an hour');
  show('a month', 'an hour');
  expect(root.element().textContent).toBe('a month, an hour, as stored');
});

test('a form keeps an edit beside a change of another admin, and submits only the edited field', async () => {
  show('a year', 'an hour');
  edit();
  show('a year', 'a minute');
  expect(root.element().textContent).toBe('a day, a minute, changed');
  await submit();
  expect(save).toHaveBeenCalledExactlyOnceWith({ lifetime: 'a day' });
});

test('a saved edit does not undo a later change of another admin', () => {
  show('a year', 'an hour');
  edit();
  show('a day', 'an hour');
  show('a week', 'an hour');
  expect(root.element().textContent).toBe('a week, an hour, as stored');
});

test('blanks around a stored text do not count as a change', () => {
  edited = ' a day ';
  show('a year', 'an hour');
  edit();
  expect(root.element().textContent).toBe(' a day , an hour, changed');
  show('a day', 'an hour');
  expect(root.element().textContent).toBe(' a day , an hour, as stored');
});

test('a form that is reset after its save drops what was saved, and keeps what was typed since', async () => {
  resets = true;
  show('a year', 'an hour');
  edit();
  await submit();
  expect(root.element().textContent).toBe('a year, an hour, as stored');

  edit();
  let finish = () => {};
  save.mockImplementationOnce(
    () =>
      new Promise<void>(resolve => {
        finish = resolve;
      }),
  );
  await submit();
  edited = 'a week';
  edit();
  await act(async () => finish());
  expect(root.element().textContent).toBe('a week, an hour, changed');
});
