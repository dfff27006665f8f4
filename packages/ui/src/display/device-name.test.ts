import { describe, expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

describe('the name of a device', () => {
  it.each([
    ['Chrome 143', 'macOS 15.1', 'Chrome 143 · macOS 15.1'],
    ['Chrome 143', null, 'Chrome 143'],
    [null, 'macOS 15.1', 'macOS 15.1'],
    [null, null, undefined],
  ])('of browser %s and system %s is %s', (browser, system, expected) => {
    expect(deviceName({ browser, system })).toBe(expected);
  });
});
