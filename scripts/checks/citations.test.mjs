import { describe, expect, test } from 'vitest';
import { findBrokenCitations } from './citations.mjs';

const users = ['docs/contract/users.md', '# Users\n\n## Activity\n\n### `GET /users`: list\n'];

function messagesFor(file, text) {
  return findBrokenCitations(new Map([users, [file, text]])).map(({ line, message }) => `${line} ${message}`);
}

describe('the citation check', () => {
  test.each([
    ['a heading', '/** docs/contract/users.md#activity */'],
    ['a heading with code in it', '// docs/contract/users.md#get-users-list'],
    ['a whole document', '// (docs/contract/users.md).'],
    ['a file that a test writes', "write('notes.md')"],
  ])('accepts %s', (_, text) => {
    expect(messagesFor('a.ts', text)).toEqual([]);
  });

  test.each([
    ['a missing heading', '\n// docs/contract/users.md#other', '2 cites docs/contract/users.md#other, but'],
    ['a missing document', '// docs/contract/keys.md', '1 cites docs/contract/keys.md, which does not exist'],
    ['a document without its folder', '// users.md 1.9', '1 cites users.md: '],
    ['a document that is not in the repository', '// design.md section 3', '1 cites design.md: '],
  ])('refuses %s', (_, text, message) => {
    expect(messagesFor('a.ts', text)).toEqual([expect.stringContaining(message)]);
  });

  test('follows Markdown links relative to the file, also to files and folders that are not Markdown', () => {
    const text = [
      '[good](users.md#activity)',
      '[bad](users.md#other)',
      '[gone](../keys.md)',
      '[web](https://example.com/a.md)',
      '[folder](../contract/)',
      '[file](../../deploy/nginx.conf)',
      '![picture](sign-in.png)',
    ].join('\n');
    expect(messagesFor('docs/contract/README.md', text)).toEqual([
      '2 cites docs/contract/users.md#other, but docs/contract/users.md has no such heading',
      '3 cites docs/keys.md, which does not exist',
      '6 cites deploy/nginx.conf, which does not exist',
    ]);
  });
});
