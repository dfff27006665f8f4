import { expect, test } from 'vitest';
import { createRouteTable } from './route-table.ts';

const paths = [
  'GET /',
  'GET /api',
  'GET /api/users/{user_id}',
  'GET /api/users/me',
  'PATCH /api/users/{user_id}',
  'GET /api/{kind}/{id}',
  'GET /files',
  'GET /files/*',
  'OPTIONS /api/*',
  'OPTIONS /api/app/{app_id}/*',
  '* /api/app/{app_id}/*',
];
const table = createRouteTable(
  paths.map(line => {
    const [method = '', path = ''] = line.split(' ');
    return { method, path, value: line };
  }),
);

test.each<[string, string, Record<string, string>]>([
  ['GET /', 'GET /', {}],
  ['GET /api', 'GET /api', {}],
  ['GET /api/users/1', 'GET /api/users/{user_id}', { user_id: '1' }],
  ['GET /api/users/me', 'GET /api/users/me', {}],
  ['PATCH /api/users/1', 'PATCH /api/users/{user_id}', { user_id: '1' }],
  ['GET /api/teams/1', 'GET /api/{kind}/{id}', { kind: 'teams', id: '1' }],
  ['GET /files', 'GET /files', {}],
  ['GET /files/a', 'GET /files/*', {}],
  ['GET /files/a/b', 'GET /files/*', {}],
  ['OPTIONS /api', 'OPTIONS /api/*', {}],
  ['OPTIONS /api/users/1', 'OPTIONS /api/*', {}],
  ['OPTIONS /api/app/1', 'OPTIONS /api/app/{app_id}/*', { app_id: '1' }],
  ['PUT /api/app/1/x/y', '* /api/app/{app_id}/*', { app_id: '1' }],
  ['GET /api/users/%6De', 'GET /api/users/me', {}],
  ['GET /api/users/a%2Fb', 'GET /api/users/{user_id}', { user_id: 'a/b' }],
  ['GET /api/users/%ff', 'GET /api/users/{user_id}', { user_id: '%ff' }],
])('%s has the route %s', (request, route, params) => {
  const [method = '', path = ''] = request.split(' ');
  expect(table.find(method, path)).toEqual({ value: route, params });
});

test.each([
  'GET /nowhere',
  'PUT /api',
  'GET /api/users/',
  'GET /api/users/1/2',
  'GET /filesystem',
  'GET ',
  // A path of its own: `me` is no `user_id`.
  'PATCH /api/users/me',
])('%s has no route', request => {
  const [method = '', path = ''] = request.split(' ');
  expect(table.find(method, path)).toBeUndefined();
});

test.each<[string, string[]]>([
  ['/api/users/1', ['GET', 'PATCH']],
  ['/api/users/me', ['GET']],
  ['/api', ['GET']],
  ['/api/app/1/x', []],
  ['/api/users', []],
])('the methods of the routes of %s are %j', (path, expected) => {
  expect(table.methodsOf(path)).toEqual(expected);
});
