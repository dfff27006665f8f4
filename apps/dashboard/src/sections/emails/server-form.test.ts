import { expect, test } from 'vitest';
import { pickFields } from '../../components/form/changed-fields.ts';
import { changeServer, isComplete, ownServer, serverErrors, serverValues } from './server-form.ts';

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

const connection = { host: 'smtp.one.example', port: 587, username: 'one', password: 'first' };
const sender = { senderName: 'Shop', senderEmail: 'shop@one.example' };
const opened = { type: 'standard' as const, ...connection, ...sender };
const otherConnection = { host: 'smtp.two.example', port: 465, username: 'two', password: 'second' };
const otherSender = { senderName: 'Store', senderEmail: 'store@two.example' };

test.each([
  {
    name: 'sender',
    edits: { senderName: ' Boutique ' },
    expected: { ...otherConnection, ...otherSender, senderName: 'Boutique' },
  },
  { name: 'password', edits: { password: 'third' }, expected: { ...connection, password: 'third', ...otherSender } },
])('an edit of the $name of a mail server keeps what another admin has changed meanwhile', ({ edits, expected }) => {
  const stored = { ...opened, ...otherConnection, ...otherSender };
  const values = { ...opened, port: '587', ...edits };
  expect(changeServer({ stored, values, onlyChanged: fields => pickFields(fields, edits) })).toEqual({
    type: 'standard',
    ...expected,
  });
});

test('an own mail server is stored as a whole when the project had none or has none any more', () => {
  const values = { ...opened, port: '587' };
  const stored = { ...opened, ...otherConnection };
  expect(
    changeServer({ stored, values, onlyChanged: fields => pickFields(fields, { type: 'standard', host: '' }) }),
  ).toEqual(opened);
  expect(
    changeServer({ stored: { type: 'shared' }, values, onlyChanged: fields => pickFields(fields, { host: '' }) }),
  ).toEqual(opened);
});
