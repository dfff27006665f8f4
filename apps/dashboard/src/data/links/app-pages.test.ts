import { beforeEach, expect, test } from 'vitest';
import { handlerAddress, handlerChoices, keepPage, localhostChoice, usualPage, usualPlace } from './app-pages.ts';

const domains = [{ domain: 'https://app.example.com', handlerPath: '/auth/' }];
const page = 'team-invitation';

beforeEach(() => localStorage.clear());

test.each([
  [{ domains, allowLocalhost: false }, ['https://app.example.com/auth']],
  [{ domains, allowLocalhost: true }, ['https://app.example.com/auth', localhostChoice]],
  [
    { domains: [{ domain: 'https://app.example.com/', handlerPath: '/' }], allowLocalhost: false },
    ['https://app.example.com'],
  ],
  [{ domains: [{ domain: 'https://*.example.com', handlerPath: '/handler' }], allowLocalhost: false }, []],
  [{ domains: [], allowLocalhost: true }, [localhostChoice]],
  [{ domains: [], allowLocalhost: false }, []],
])('a project with %j has its pages at %j', (settings, choices) => {
  expect(handlerChoices(settings)).toEqual(choices);
});

test.each([
  ['https://app.example.com/auth', '', 'https://app.example.com/auth'],
  [localhostChoice, '5173', 'http://localhost:5173/handler'],
  [localhostChoice, '0', undefined],
  [localhostChoice, '65536', undefined],
  [localhostChoice, 'x', undefined],
])('the choice %s with the port %j leads to %s', (choice, port, address) => {
  expect(handlerAddress(choice, port)).toBe(address);
});

test.each([
  ['a domain', { domains, allowLocalhost: true }, 'https://app.example.com/auth/team-invitation'],
  ['no domain', { domains: [], allowLocalhost: true }, 'http://localhost:5173/handler/team-invitation'],
  ['no trusted place', { domains: [], allowLocalhost: false }, 'http://localhost:5173/handler/team-invitation'],
])('the first link of a project with %s leads to %j', (_, config, expected) => {
  expect(usualPage({ id: 'p1', config }, page)).toBe(expected);
});

test('a link leads to the place of the last one, for each project, while the project trusts it', () => {
  const project = { id: 'p1', config: { domains, allowLocalhost: true } };
  keepPage(project, 'http://localhost:4803/handler/magic-link-callback');
  expect(usualPage(project, page)).toBe('http://localhost:4803/handler/team-invitation');
  expect(usualPlace(project)).toEqual({ choice: localhostChoice, port: '4803' });
  expect(usualPage({ ...project, id: 'p2' }, page)).toBe('https://app.example.com/auth/team-invitation');
  const strict = { ...project, config: { domains, allowLocalhost: false } };
  expect(usualPage(strict, page)).toBe('https://app.example.com/auth/team-invitation');
  keepPage(project, 'https://app.example.com/auth/team-invitation');
  expect(usualPage(project, page)).toBe('https://app.example.com/auth/team-invitation');
});
