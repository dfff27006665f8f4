import { RequestError } from '@tessera/client';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { button, field, open } from '../../../test/settings-page.tsx';
import { settle, violations } from '../../../test/show.tsx';

describe('profile', () => {
  it('changes the name in place, and restores the focus', async () => {
    const update = vi.fn(async () => {});
    const { visitor, container } = await open('#profile', { user: { update } });
    await visitor.click(button('Change: Display name'));
    expect(document.activeElement).toBe(field('Display name'));
    expect(await violations(container)).toEqual([]);
    await visitor.clear(field('Display name'));
    await visitor.type(field('Display name'), ' Ada King {Enter}');
    expect(update).toHaveBeenCalledExactlyOnceWith({ displayName: 'Ada King' });
    expect(document.activeElement).toBe(button('Change: Display name'));
  });

  it('keeps the typed name when saving fails, and discards it on cancel', async () => {
    const update = vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    });
    const { visitor } = await open('#profile', { user: { update } });
    await visitor.click(button('Change: Display name'));
    await visitor.type(field('Display name'), '!{Enter}');
    expect(screen.getByRole('alert').textContent).toContain("can't reach the server");
    expect(field('Display name')).toHaveProperty('value', 'Ada Lovelace!');
    await visitor.click(button('Cancel'));
    expect(screen.getByText('Ada Lovelace')).toBeTruthy();
  });

  it('keeps what is typed in a form that is open when a canceled save is answered', async () => {
    const saved = deferred<void>();
    const { visitor } = await open('#profile', { user: { update: () => saved.promise } });
    await visitor.click(button('Change: Display name'));
    await visitor.type(field('Display name'), '!{Enter}');
    await visitor.click(button('Cancel'));
    await visitor.click(button('Change: Display name'));
    await visitor.type(field('Display name'), ' King');
    await act(async () => saved.resolve());
    expect(field('Display name')).toHaveProperty('value', 'Ada Lovelace King');
  });

  it('refuses a file that is not an image', async () => {
    const { container } = await open('#profile');
    const input = container.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
    await userEvent.setup({ applyAccept: false }).upload(input, new File(['x'], 'x.txt', { type: 'text/plain' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain("can't read this file");
  });

  it('crops an image by keyboard, and saves a small JPEG', async () => {
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(400);
    vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(200);
    const drawImage = vi.fn();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage, fillRect: vi.fn() } as never);
    const heavy = `data:image/jpeg;base64,${'A'.repeat(200_000)}`;
    const toDataURL = vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL');
    toDataURL.mockImplementation((_, quality) => (quality === 0.5 ? 'data:image/jpeg;base64,AAAA' : heavy));

    const update = vi.fn(async () => {});
    const { visitor, container } = await open('#profile', { user: { update, profileImageUrl: 'https://a/b.png' } });
    const input = container.querySelector<HTMLInputElement>('input[type=file]');
    await visitor.upload(input as HTMLInputElement, new File(['x'], 'x.png', { type: 'image/png' }));
    await settle();
    await settle();
    const dialog = within(await screen.findByRole('dialog', { name: 'Crop the picture' }));
    const image = dialog.getByRole('group').querySelector('img');
    await act(async () => void image?.dispatchEvent(new Event('load')));
    expect(await violations(document.body)).toEqual([]);

    await act(async () => dialog.getByRole('group').focus());
    await visitor.keyboard('{ArrowRight}{ArrowRight}');
    await visitor.click(dialog.getByRole('button', { name: 'Save' }));
    expect(drawImage).toHaveBeenCalledWith(expect.anything(), 80, 0, 200, 200, 0, 0, 512, 512);
    expect(update).toHaveBeenCalledExactlyOnceWith({ profileImageUrl: 'data:image/jpeg;base64,AAAA' });
    expect(screen.queryByRole('dialog')).toBeNull();

    await visitor.click(button('Remove picture'));
    expect(update).toHaveBeenLastCalledWith({ profileImageUrl: null });
    vi.restoreAllMocks();
  });
});
