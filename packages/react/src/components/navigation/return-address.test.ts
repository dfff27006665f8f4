import { expect, it } from 'vitest';
import { withReturnAddress } from './return-address.ts';

it.each([
  ['/handler/sign-up', '', '/handler/sign-up'],
  ['/handler/sign-up', '?other=1', '/handler/sign-up'],
  ['/handler/sign-up', '?after_auth_return_to=%2Fnotes', '/handler/sign-up?after_auth_return_to=%2Fnotes'],
  ['/join?plan=a#form', '?after_auth_return_to=/n', '/join?plan=a&after_auth_return_to=%2Fn#form'],
])('%s on a page with %j becomes %s', (url, search, expected) => {
  expect(withReturnAddress(url, search)).toBe(expected);
});
