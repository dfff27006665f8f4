import { type RecoveryCodeStatus, RequestError } from '@tessera/client';
import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../test/deferred.ts';
import { user } from '../../../../test/fake-app.ts';
import { button, maybeButton, openAuth, own } from '../../../../test/settings-page.tsx';
import { show, violations } from '../../../../test/show.tsx';
import { PageSurface } from '../../../cards/surface.tsx';
import { RecoveryCodesSection } from './recovery-codes.tsx';

const dialogs = '../../../../lazy/settings-dialogs.ts';
const codes = ['4f0k-9zqt-1m7c', '7h2p-x0v5-ab3d'];
const withCodes = (fields: object = {}) => ({
  user: { isMultiFactorRequired: true, createRecoveryCodes: vi.fn(async () => codes), ...fields },
});
const status = (remaining: number) => ({
  getRecoveryCodeStatus: async () => ({ remaining, createdAt: new Date('2026-01-02T10:00:00Z') }),
});
const dialog = () => within(screen.getByRole('dialog'));

describe('recovery codes', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.doUnmock(dialogs);
  });

  it('are created, shown once, and closed after the user confirms that they are saved', async () => {
    const { visitor, container } = await openAuth([own()], withCodes());
    await visitor.click(button('Create recovery codes'));
    await screen.findByRole('dialog');
    const shown = dialog().getAllByRole('listitem');
    expect(shown.map(item => item.textContent)).toEqual(codes);
    expect(await violations(container)).toEqual([]);
    expect(dialog().getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true);
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    await visitor.click(dialog().getByLabelText("I've saved these codes"));
    expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
    await visitor.click(dialog().getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(container.textContent).not.toContain(codes[0]);
    expect(container.textContent).toContain('Codes left: 2');
  });

  it('are copied and downloaded', async () => {
    const files: Blob[] = [];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}` }));
    const { visitor } = await openAuth([own()], withCodes());
    await visitor.click(button('Create recovery codes'));
    await screen.findByRole('dialog');
    await visitor.click(dialog().getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(codes.join('\n'));
    // Chromium leaves a status inside a button out of the name of the button.
    expect(dialog().getByRole('button', { name: 'Copied' }).querySelector('[role=status]')).toBeNull();
    expect(dialog().getByRole('status').textContent).toBe('Copied');
    await visitor.click(dialog().getByRole('button', { name: 'Download' }));
    expect(await files[0]?.text()).toBe(`Recovery codes for Shelfmark\n\n${codes.join('\n')}\n`);
  });

  it('are not created while the dialog that shows them cannot be loaded', async () => {
    vi.doMock(dialogs, () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    const given = withCodes();
    const { visitor } = await openAuth([own()], given);
    await visitor.click(button('Create recovery codes'));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong. Try again.');
    expect(given.user.createRecoveryCodes).not.toHaveBeenCalled();

    vi.doUnmock(dialogs);
    await visitor.click(button('Create recovery codes'));
    expect(await screen.findByText(codes[0] ?? '')).toBeTruthy();
  });

  it('are counted after the enrolment although the status of the user arrives late', async () => {
    const early = deferred<RecoveryCodeStatus>();
    const enrolled = user(withCodes({ getRecoveryCodeStatus: () => early.promise }).user);
    await show(
      <PageSurface>
        <RecoveryCodesSection user={enrolled} projectName="Shelfmark" createsAtOnce />
      </PageSurface>,
    );
    early.resolve({ remaining: 0, createdAt: null });
    await screen.findByRole('dialog');
    expect(screen.getByText(/Codes left: 2/)).toBeTruthy();
    expect(maybeButton('Create recovery codes')).toBeNull();
  });

  it('are replaced only after a confirmation', async () => {
    const given = withCodes(status(8));
    const { visitor } = await openAuth([own()], given);
    expect(screen.getByText(/Codes left: 8/).textContent).not.toContain('run out');
    await visitor.click(button('Create new codes'));
    expect(given.user.createRecoveryCodes).not.toHaveBeenCalled();
    await visitor.click(dialog().getByRole('button', { name: 'Create new codes' }));
    expect(await screen.findByText(codes[1] ?? '')).toBeTruthy();
    expect(given.user.createRecoveryCodes).toHaveBeenCalledOnce();
  });

  it('are suggested when few are left', async () => {
    await openAuth([own()], withCodes(status(3)));
    expect(screen.getByText(/Codes left: 3/).textContent).toContain('before you run out');
  });

  it('are not offered by a server that does not know them', async () => {
    const getRecoveryCodeStatus = vi.fn(async () => {
      throw new RequestError('unexpected-answer', 'There is no such endpoint.', { status: 404 });
    });
    await openAuth([own()], withCodes({ getRecoveryCodeStatus }));
    expect(getRecoveryCodeStatus).toHaveBeenCalledOnce();
    expect(screen.queryByText('Recovery codes')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are not offered without two-step verification', async () => {
    await openAuth([own()]);
    expect(screen.queryByText('Recovery codes')).toBeNull();
  });
});
