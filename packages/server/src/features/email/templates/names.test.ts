import { describe, expect, test } from 'vitest';
import { memberName, oneLine, projectName, withoutLinks } from './names.ts';

describe('control 75: a name that a user chose contains no link', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['https://evil.com', 'evil. com'],
    ['Win at HTTPS://evil.com/login now', 'Win at evil. com/login now'],
    ['www.evil.com', 'www. evil. com'],
    ['evil.co.uk', 'evil. co. uk'],
    ['evil。com', 'evil. com'],
    ['evil．com', 'evil. com'],
    ['пример.рф', 'пример. рф'],
    ['evil.xn--p1ai', 'evil. xn--p1ai'],
    ['//evil.com', '//evil. com'],
    ['http://127.0.0.1/x', '127. 0. 0. 1/x'],
    ['http:\\\\evil.com', 'evil. com'],
    ['http:/\u200b/evil.com', 'http:/ /evil. com'],
    ['hhttp://ttp://evil.com', 'evil. com'],
    ['me@evil.com', 'me@evil. com'],
    ['[Click](https://evil.com)', '[Click] (evil. com)'],
    ['<a href="https://evil.com">', '<a href="evil. com">'],
    ['ev\u00adil.com', 'ev il. com'],
    ['cafe\u0301.com/login', 'caf\u00e9. com/login'],
    ['evil.\u092d\u093e\u0930\u0924', 'evil. \u092d\u093e\u0930\u0924'],
    ['\u0939\u093f\u0928\u094d\u0926\u0940.com', '\u0939\u093f\u0928\u094d\u0926\u0940. com'],
    ['\u{1f4a9}.la', '\u{1f4a9}. la'],
    ['\u2764\ufe0f.com', '\u2764\ufe0f. com'],
    ['\u{1f44d}\u{1f3fd}.com', '\u{1f44d}\u{1f3fd}. com'],
    ['evil\u200d.com', 'evil\u200d. com'],
    ['evil-.com', 'evil-. com'],
    // These are not links and stay unchanged.
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['Version 2.0', 'Version 2.0'],
    ['The .NET team (.org)', 'The .NET team (.org)'],
    ['O’Neill & Sons (GmbH)', 'O’Neill & Sons (GmbH)'],
    ['José 李 👩‍👩‍👧', 'José 李 👩‍👩‍👧'],
  ])('%s', (name, expected) => {
    expect(withoutLinks(name)).toBe(expected);
  });

  test.each([
    ['ada.king@acme.example', 'ada.king@acme.example'],
    ['Ada', 'Ada'],
    ['Ada at evil.com', 'Ada at evil. com'],
    ['visit.evil.example/now@evil.example', 'visit. evil. example/now@evil. example'],
    ['https://evil.com/@acme.example', 'evil. com/@acme. example'],
    ['ada@evil.com/login', 'ada@evil. com/login'],
  ])('the member %s is named %s', (name, expected) => {
    expect(memberName(name)).toBe(expected);
  });

  test('a project name may be a domain, but not a URL', () => {
    expect(projectName('booking.com')).toBe('booking.com');
    expect(projectName('[x](https://evil.com/)')).toBe('[x] (evil.com/)');
  });
});

describe('control 74: a name is one line', () => {
  test.each([
    ['Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
    ['Ada\u0000\u2028\u2029\u0085Lovelace', 'Ada Lovelace'],
    ['\u202eevil\u202c  \t name ', 'evil name'],
    ['\ud800', ''],
    ['x'.repeat(200), `${'x'.repeat(99)}…`],
  ])('%j', (name, expected) => {
    expect(oneLine(name)).toBe(expected);
  });
});
