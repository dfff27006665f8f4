import { expect, test } from 'vitest';
import { setupHint } from './setup-hint.ts';

test.each([
  ['https://shop.example', 'https://shop.example is not a trusted', '--add-domain https://shop.example'],
  [undefined, 'The site of the callback URL is not a trusted', '--add-domain https://your-site.example'],
  ['null', 'The site of the callback URL is not a trusted', '--add-domain https://your-site.example'],
])('the command that trusts a domain has an address, for the origin %s', (origin, start, end) => {
  const hint = setupHint('REDIRECT_URL_NOT_WHITELISTED', {
    projectId: 'p',
    apiUrl: 'https://a.example/api/v1',
    origin,
  });
  expect(hint?.startsWith(start)).toBe(true);
  expect(hint?.endsWith(end)).toBe(true);
  // In the folder of an app, npx would run the package `tessera` of npm, which is another program.
  expect(hint).not.toContain('npx');
});
