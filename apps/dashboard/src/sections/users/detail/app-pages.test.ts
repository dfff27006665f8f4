import { expect, test } from 'vitest';
import { handlerAddress, handlerChoices, localhostChoice } from './app-pages.ts';

const domains = [{ domain: 'https://app.example.com', handlerPath: '/auth/' }];

test.each([
  [{ domains, allowLocalhost: false }, ['https://app.example.com/auth']],
  [{ domains, allowLocalhost: true }, ['https://app.example.com/auth', localhostChoice]],
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
