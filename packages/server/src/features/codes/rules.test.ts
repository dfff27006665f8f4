import { expect, test } from 'vitest';
import { linkWithCode } from './rules.ts';

test.each([
  ['https://a.example', 'https://a.example/?code=c0de'],
  ['https://a.example/verify', 'https://a.example/verify?code=c0de'],
  ['https://a.example/verify?', 'https://a.example/verify?code=c0de'],
  ['https://a.example/?next=home', 'https://a.example/?code=c0de&next=home'],
  ['https://a.example/?b=2&a=1', 'https://a.example/?code=c0de&b=2&a=1'],
  ['https://a.example/?a=1&a=2', 'https://a.example/?code=c0de&a=1&a=2'],
  ['https://a.example/?code=old', 'https://a.example/?code=c0de'],
  ['https://a.example/?a=1&code=old&b=2&code=older', 'https://a.example/?code=c0de&a=1&b=2'],
  ['https://a.example/?c%6Fde=old', 'https://a.example/?code=c0de'],
  ['https://a.example/?codes=1&Code=2', 'https://a.example/?code=c0de&codes=1&Code=2'],
  ['https://a.example/#part', 'https://a.example/?code=c0de#part'],
  ['https://a.example/?a=1#?code=x', 'https://a.example/?code=c0de&a=1#?code=x'],
  // What the page finds is what its author wrote, letter by letter.
  ['https://a.example/?next=%2Fhome%3Fx%3D1%26y', 'https://a.example/?code=c0de&next=%2Fhome%3Fx%3D1%26y'],
  ['https://a.example/?name=Ada%20L', 'https://a.example/?code=c0de&name=Ada%20L'],
  ['https://a.example/?name=Ada+L', 'https://a.example/?code=c0de&name=Ada+L'],
  ['https://a.example/?latin=%FF', 'https://a.example/?code=c0de&latin=%FF'],
  ['https://a.example/?flag&empty=', 'https://a.example/?code=c0de&flag&empty='],
  ['https://a.example/?path=a/b:c', 'https://a.example/?code=c0de&path=a/b:c'],
  ['https://a.example:8443/x', 'https://a.example:8443/x?code=c0de'],
  ['myapp://localhost/verify?a=1', 'myapp://localhost/verify?code=c0de&a=1'],
])('%s becomes %s', (callbackUrl, link) => {
  expect(linkWithCode(callbackUrl, 'c0de')).toBe(link);
});
