import { expect, test } from 'vitest';
import { invitationUrl } from './invitation-url.ts';

test.each([
  ['no domain', [], 'http://localhost:3000/handler/team-invitation'],
  [
    'one domain',
    [{ domain: 'https://app.example.com', handlerPath: '/handler' }],
    'https://app.example.com/handler/team-invitation',
  ],
  [
    'a wildcard before a full domain',
    [
      { domain: 'https://*.example.com', handlerPath: '/handler' },
      { domain: 'https://app.example.com/', handlerPath: '/auth/' },
    ],
    'https://app.example.com/auth/team-invitation',
  ],
  [
    'the root as its handler path',
    [{ domain: 'https://app.example.com', handlerPath: '/' }],
    'https://app.example.com/team-invitation',
  ],
])('an invitation of a project with %s leads to the page of the app', (_, domains, expected) => {
  expect(invitationUrl({ domains })).toBe(expected);
});
