import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { modules, qrCode } from './qr.ts';

it.each(['a', 'otpauth://totp/Shelfmark:ada%40example.com?secret=JBSWY3DPEHPK3PXP', 'ä€😀', 'x'.repeat(271)])(
  'a QR code is equal to the one of a library: %j',
  text => {
    const bytes = [...new TextEncoder().encode(text)];
    const { data } = encode(bytes, {
      ecc: 'L',
      boostEcc: false,
      minVersion: 10,
      maxVersion: 10,
      maskPattern: 0,
      border: 0,
    });
    expect(qrCode(text)).toEqual(data);
    expect(data).toHaveLength(modules);
  },
);

it('qrCode refuses a text that does not fit', () => {
  expect(() => qrCode('x'.repeat(272))).toThrow(RangeError);
});
