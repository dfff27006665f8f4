import { expect, test } from 'vitest';
import { isComplete, ownServer, serverErrors, serverValues } from './server-form.ts';

const own = {
  type: 'standard' as const,
  host: ' smtp.example.com ',
  port: '587',
  username: 'acme',
  password: ' secret ',
  senderName: 'Acme',
  senderEmail: 'mail@acme.example',
};

test('an own mail server is sent without the spaces around its fields, and with the password unchanged', () => {
  const { type: _, ...rest } = own;
  expect(isComplete(own)).toBe(true);
  expect(ownServer(own)).toEqual({ ...rest, host: 'smtp.example.com', port: 587 });
});

test.each([
  ['port', '0'],
  ['port', '65536'],
  ['port', 'smtp'],
  ['host', ' '],
  ['senderEmail', 'acme'],
  ['password', ''],
] as const)('an own mail server with the %s “%s” is refused at that field', (field, value) => {
  const errors = serverErrors({ ...own, [field]: value });
  expect(Object.entries(errors).filter(([, problem]) => problem !== undefined)).toEqual([[field, expect.any(String)]]);
});

test('the server of the installation needs no fields', () => {
  expect(serverErrors(serverValues({ type: 'shared' }))).toEqual({});
});
