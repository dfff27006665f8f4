import { expect, test } from 'vitest';
import { forgetInvitationCode, invitationCode, keepInvitationCode } from './invitation-code.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test('the code of the link is used before a code that was kept', () => {
  const storage = memory();
  expect(invitationCode('#code=a', storage)).toBe('a');
  keepInvitationCode('b', storage);
  expect(invitationCode('#code=a', storage)).toBe('a');
  expect(invitationCode('', storage)).toBe('b');
});

test('a code that was used is forgotten', () => {
  const storage = memory();
  keepInvitationCode('b', storage);
  forgetInvitationCode(storage);
  expect(invitationCode('', storage)).toBeNull();
  expect(invitationCode('#other=1', storage)).toBeNull();
});
