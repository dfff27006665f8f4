import { expect, test } from 'vitest';
import { connectionProblem } from './connection-problem.ts';
import { words } from './words.ts';

test.each([
  ['a refused connection', 0, 'No answer: ECONNREFUSED.', words.connection.ECONNREFUSED],
  ['an endpoint without TLS', 0, 'No answer: EPROTO.', words.connection.EPROTO],
  ['an expired certificate', 0, 'No answer: CERT_HAS_EXPIRED.', words.connection.CERT_HAS_EXPIRED],
  ['an error without words', 0, 'No answer: ESOMETHING.', undefined],
  ['a response that names a code', 500, 'ECONNREFUSED', undefined],
])('the connection problem of %s', (_, responseStatusCode, response, problem) => {
  expect(connectionProblem({ responseStatusCode, response })).toBe(problem);
});
