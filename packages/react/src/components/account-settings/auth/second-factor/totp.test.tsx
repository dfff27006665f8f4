import { createHmac } from 'node:crypto';
import type { CurrentUser } from '@tessera/client';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { button, field, openAuth, own } from '../../../../test/settings-page.tsx';
import { violations } from '../../../../test/show.tsx';

describe('two-step verification section', () => {
  beforeEach(() => void vi.stubGlobal('isSecureContext', true));
  afterEach(() => void vi.unstubAllGlobals());

  it('control 63: is turned on only with a code that matches the key', async () => {
    const update = vi.fn<CurrentUser['update']>(async () => {});
    const { visitor, container } = await openAuth([own()], { user: { update } });
    await visitor.click(button('Turn on: Two-step verification'));
    const qrCode = await screen.findByRole('img', { name: 'QR code for your authenticator app' });
    expect(qrCode.getAttribute('width')).toBe('200');
    expect(await violations(container)).toEqual([]);

    const key = container.querySelector('code')?.textContent?.replaceAll(' ', '') ?? '';
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    const right = await codeFor(key);
    const wrong = right === '000000' ? '111111' : '000000';
    await visitor.click(field('Six-digit code'));
    await visitor.keyboard(wrong);
    await screen.findByText(/Incorrect code/);
    expect(update).not.toHaveBeenCalled();
    await visitor.keyboard(right);
    await vi.waitFor(() => expect(update).toHaveBeenCalledOnce(), { timeout: 20_000 });
    expect(update.mock.calls[0]?.[0].totpMultiFactorSecret).toHaveLength(20);
  });

  it('drops the key on cancel', async () => {
    const { visitor, container } = await openAuth([own()]);
    await visitor.click(button('Turn on: Two-step verification'));
    const first = container.querySelector('code')?.textContent;
    await visitor.click(button('Cancel'));
    await visitor.click(button('Turn on: Two-step verification'));
    expect(container.querySelector('code')?.textContent).not.toBe(first);
  });

  it('is turned off', async () => {
    const update = vi.fn(async () => {});
    const { visitor } = await openAuth([own()], { user: { update, isMultiFactorRequired: true } });
    await visitor.click(button('Turn off: Two-step verification'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ totpMultiFactorSecret: null });
  });

  it('needs a secure context', async () => {
    vi.stubGlobal('isSecureContext', false);
    const { visitor } = await openAuth([own()]);
    await visitor.click(button('Turn on: Two-step verification'));
    expect(screen.getByRole('alert').textContent).toContain('only on https');
  });
});

/** The code of an authenticator app with this key (RFC 6238). */
async function codeFor(key: string): Promise<string> {
  const bits = [...key].map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  const secret = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.readUInt8(19) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
