import { createTotpEnrolment } from '@tessera/client';
import { expect, it } from 'vitest';
import { fittingName } from './fitting-name.ts';
import { qrCode } from './qr.ts';

it.each([
  ['Shelf & Mark', 'Shelf & Mark'],
  ['图书馆'.repeat(9), '图书馆图书'],
  ['😀'.repeat(9), '😀😀😀😀'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('the name %s is cut to %s', (name, fitting) => expect(fittingName(name)).toBe(fitting));

it('the URI of a TOTP key always fits the QR code', () => {
  const name = fittingName('%'.repeat(300));
  const { uri } = createTotpEnrolment({ issuer: name, account: name });
  expect(() => qrCode(uri)).not.toThrow();
});
