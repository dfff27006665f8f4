import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

test.each([
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    { browser: 'Chrome 143', system: 'macOS Catalina', type: 'desktop' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { browser: 'Safari 18', system: 'iOS 18.1', type: 'mobile' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    { browser: 'Firefox 140', system: 'Windows 10', type: 'desktop' },
  ],
  ['<script>alert(1)</script>', { browser: null, system: null, type: 'other' }],
  ['', { browser: null, system: null, type: 'other' }],
  [null, { browser: null, system: null, type: 'other' }],
])('the user agent %j is shown as %j', (userAgent, device) => {
  expect(deviceOf(userAgent)).toEqual(device);
});
