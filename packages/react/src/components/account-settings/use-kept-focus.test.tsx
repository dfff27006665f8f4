import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setReader } from '../../test/fake-app.ts';
import { button, channel, choose, go, open, openAuth, own } from '../../test/settings-page.tsx';

const focused = () => document.activeElement?.textContent;

describe('the focus in the account settings', () => {
  beforeEach(() => void vi.stubGlobal('isSecureContext', true));
  afterEach(() => void vi.unstubAllGlobals());

  it('goes to the heading of the section when a form closes', async () => {
    const { visitor } = await openAuth([own()]);
    await visitor.click(button('Turn on: Two-step verification'));
    await visitor.click(button('Cancel'));
    await vi.waitFor(() => expect(focused()).toBe('Two-step verification'));
    await visitor.click(button('Change password'));
    expect(document.activeElement).toBe(screen.getByLabelText('Current password', { selector: 'input' }));
    await visitor.click(button('Cancel'));
    await vi.waitFor(() => expect(focused()).toBe('Password'));
  });

  it('goes to the heading of the section when the row of the action is gone', async () => {
    const channels = setReader<unknown>([]);
    const second = { ...channel('second@example.com'), delete: vi.fn(async () => channels.set([own()])) };
    channels.set([own(), second]);
    const { visitor } = await openAuth([], { reads: { listContactChannels: channels } });
    await choose(visitor, 'second@example.com', 'Remove');
    await visitor.click(button('Remove'));
    await vi.waitFor(() => expect(focused()).toBe('Email addresses'));
  });

  it('goes to the invisible heading of a section that is alone on its page', async () => {
    const categories = setReader<unknown>([category('1'), category('2')]);
    await open('#notifications', { reads: { listNotificationCategories: categories } });
    screen.getAllByRole('switch').at(-1)?.focus();
    await act(async () => categories.set([category('1')]));
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 3 })));
  });

  it('stays where the visitor has moved it', async () => {
    const { visitor } = await openAuth([own()]);
    await visitor.click(button('Change password'));
    await visitor.click(button('Add an address'));
    await go('#sessions');
    await vi.waitFor(() => expect(focused()).toBe('Active sessions'));
  });
});

const category = (id: string) => ({ id, name: id, enabled: true, canDisable: true, setEnabled: async () => {} });
