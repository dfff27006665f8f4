import { RequestError } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setReader } from '../../test/fake-app.ts';
import { open } from '../../test/settings-page.tsx';
import { violations } from '../../test/show.tsx';

describe('notifications', () => {
  const category = (fields: object) => ({ id: 'c', name: 'Marketing', enabled: false, canDisable: true, ...fields });

  it('change at once, and required ones cannot be turned off', async () => {
    const setEnabled = vi.fn(async () => {});
    const listNotificationCategories = setReader<unknown>([
      category({ setEnabled }),
      category({ id: 't', name: 'Transactional', enabled: true, canDisable: false }),
    ]);
    const { visitor, container } = await open('#notifications', { reads: { listNotificationCategories } });
    expect(screen.getByRole('switch', { name: /^Account emails/ })).toHaveProperty('disabled', true);
    expect(screen.getByText('Always sent.')).toBeTruthy();
    expect(await violations(container)).toEqual([]);
    await visitor.click(screen.getByRole('switch', { name: /^News/ }));
    expect(setEnabled).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('have the name that the server gives to another category', async () => {
    const listNotificationCategories = setReader<unknown>([category({ name: 'Digest' })]);
    await open('#notifications', { reads: { listNotificationCategories } });
    expect(screen.getByRole('switch', { name: 'Digest' })).toBeTruthy();
  });

  it('keep the focus while they are saved, and save the second change after the first one', async () => {
    const saved: (() => void)[] = [];
    const setEnabled = vi.fn(() => new Promise<void>(resolve => saved.push(resolve)));
    const listNotificationCategories = setReader<unknown>([category({ setEnabled })]);
    const { visitor } = await open('#notifications', { reads: { listNotificationCategories } });
    const marketing = screen.getByRole('switch', { name: /^News/ });
    await visitor.click(marketing);
    expect(marketing.getAttribute('aria-busy')).toBe('true');
    await visitor.keyboard(' ');
    expect(marketing).toHaveProperty('checked', false);
    expect(setEnabled.mock.calls).toEqual([[true]]);
    await act(async () => saved[0]?.());
    expect(setEnabled.mock.calls).toEqual([[true], [false]]);
    await act(async () => saved[1]?.());
    expect(marketing.getAttribute('aria-busy')).toBe('false');
    expect(document.activeElement).toBe(marketing);
  });

  it('are rolled back when the server refuses', async () => {
    const setEnabled = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const listNotificationCategories = setReader<unknown>([category({ setEnabled })]);
    const { visitor } = await open('#notifications', { reads: { listNotificationCategories } });
    await visitor.click(screen.getByRole('switch', { name: /^News/ }));
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(screen.getByRole('switch', { name: /^News/ })).toHaveProperty('checked', false);
  });

  it('may be empty', async () => {
    await open('#notifications', { reads: { listNotificationCategories: setReader<unknown>([]) } });
    expect(screen.getByText("There's nothing to choose.")).toBeTruthy();
  });
});
