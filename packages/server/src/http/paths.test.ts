import { ask, headersOf } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../test/harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

describe('all version prefixes serve the same API', () => {
  test.each(['/api/v1', '/api/latest', '/api/v2beta1', '/api/v2beta2', '/api/v2beta3', '/api/v2beta4'])(
    '%s',
    async base => {
      const reference = await ask(server.app, '/api/v1/projects/current', { headers: headersOf({}) });
      const answer = await ask(server.app, `${base}/projects/current`, { headers: headersOf({}) });
      expect([answer.status, answer.json]).toEqual([200, reference.json]);
      expect((await ask(server.app, base)).status).toBe(200);
      expect((await ask(server.app, `${base}/users/me`, { method: 'PUT' })).status).toBe(405);
    },
  );

  test.each(['/api/v2', '/api/v2beta5', '/api/v10', '/api/v1x', '/api/V1', '/api//v1'])(
    '%s is not a version prefix',
    async base => {
      expect(outcome(await ask(server.app, `${base}/projects/current`, { headers: headersOf({}) }))).toEqual({
        status: 404,
        says: 'a sentence',
      });
    },
  );
});

test.each(['/api/v1/', '/api/v1/projects/current/', '/api/v1/openapi.json/'])(
  '%s answers as without the slash at the end',
  async path => {
    expect((await ask(server.app, path, { headers: headersOf({}) })).status).toBe(200);
  },
);

describe('an unknown path', () => {
  test('is named in the 404 answer', async () => {
    const answer = await ask(server.app, '/api/v1/nowhere?secret=1');
    expect([answer.status, answer.text]).toEqual([404, 'There is nothing at /api/v1/nowhere.']);
  });

  test.each(['/api', '/api/', '/api/v1/users/me/more', '/api/v1/projects', '/api/v1/./nowhere', '/api/v1/users//me'])(
    '%s',
    async path => {
      expect(outcome(await ask(server.app, path))).toEqual({ status: 404, says: 'a sentence' });
    },
  );

  test.each(['/nowhere', '/apis', '/api.json', '/favicon.ico', '/.env', '/health/more'])(
    '%s, outside the API',
    async path => {
      const answer = await ask(server.app, path);
      expect(outcome(answer)).toEqual({ status: 404, says: 'a sentence' });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

describe('a method that a path does not support', () => {
  test.each([
    ['PUT', '/api/v1/users/me'],
    ['POST', '/api/v1/projects/current'],
    ['POST', '/api/v1'],
    ['DELETE', '/api/latest/'],
    ['GET', '/api/v1/auth/password/sign-in'],
    ['PATCH', '/api/v1/auth/sessions/current/'],
    ['POST', '/api/v1/projects/internal/.well-known/jwks.json'],
    ['PATCH', '/api/v1/openapi.json'],
    ['GET', '/api/v1/user-api-keys/check'],
    ['PATCH', '/api/v1/team-api-keys/check'],
    ['DELETE', '/api/v1/team-invitations/accept'],
    ['DELETE', '/api/v1/team-invitations/send-code'],
    ['GET', '/api/v1/contact-channels/verify/check-code'],
  ])('%s %s', async (method, path) => {
    expect(outcome(await ask(server.app, path, { method }))).toEqual({ status: 405, says: 'a sentence' });
  });

  test.each([
    ['PUT', '/api/v1/users/me', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', '/api/v1/auth/password/sign-in', 'POST, OPTIONS'],
    ['GET', '/api/v1/user-api-keys/check', 'POST, OPTIONS'],
    ['PURGE', '/api/v1/nowhere', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ])('%s %s is answered with the methods of the path (RFC 9110 section 15.5.6)', async (method, path, expected) => {
    const { headers } = await ask(server.app, path, { method });
    expect(headers.get('allow')?.split(', ').sort()).toEqual(expected.split(', ').sort());
  });

  test.each(['PROPFIND', 'PURGE', 'get', 'Patch', 'QUERY'])(
    'method %s is refused with 405 on an unknown path and on a known one',
    async method => {
      const paths = ['/api/v1/users/me', '/api/v1/nowhere'];
      for (const path of paths) {
        const { status } = await ask(server.app, path, { method });
        // `Request` upper-cases `get`, but no other lower-case name.
        expect(status, path).toBe(method === 'get' ? (path.endsWith('me') ? 400 : 404) : 405);
      }
    },
  );
});

describe('a HEAD request gets the headers of GET without a body', () => {
  test.each(['/api/v1', '/api/v1/projects/current', '/api/v1/users/me', '/api/v1/nowhere', '/health', '/', '/nowhere'])(
    '%s',
    async path => {
      const get = await ask(server.app, path, { headers: headersOf({}) });
      const head = await ask(server.app, path, { method: 'HEAD', headers: headersOf({}) });
      const comparable = (headers: Headers) => ({ ...Object.fromEntries(headers), 'x-stack-request-id': 'an id' });
      expect([head.status, head.text, comparable(head.headers)]).toEqual([get.status, '', comparable(get.headers)]);
    },
  );
});

describe('a preflight request', () => {
  test.each(['/api/v1/users/me', '/api/v1/nowhere', '/api/', '/api'])(
    '%s is answered without authentication',
    async path => {
      const headers = {
        origin: 'https://app.example.com',
        'access-control-request-method': 'PATCH',
        'x-stack-access-type': 'x',
      };
      const answer = await ask(server.app, path, { method: 'OPTIONS', headers });
      expect([answer.status, answer.text]).toEqual([200, '']);
    },
  );
});

describe('percent-encoded paths', () => {
  test.each([
    ['/api/v1/projects/%69nternal/.well-known/jwks.json', 200],
    ['/api/v1/projects/%/.well-known/jwks.json', 404],
    ['/api/v1/projects/%zz/.well-known/jwks.json', 404],
    ['/api/v1/projects/%E0%A4%A/.well-known/jwks.json', 404],
    ['/api/v1/projects/%ff/.well-known/jwks.json', 404],
    ['/api/v1/projects/%00/.well-known/jwks.json', 400],
    ['/api/v1/projects/a%2Fb/.well-known/jwks.json', 404],
    ['/api/v1/projects/..%2f..%2f/.well-known/jwks.json', 404],
    ['/api/v1/projects/%ED%A0%80/.well-known/jwks.json', 404],
    ['/api/v1/%00', 404],
    ['/api/v1/%', 404],
    ['/%', 404],
    ['/%c0%af', 404],
  ])('%s is answered with %i', async (path, status) => {
    expect((await ask(server.app, path)).status).toBe(status);
  });
});
