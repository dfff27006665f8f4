import { expect, test } from 'vitest';
import { findLeaks } from './leaks.mjs';

const machine = { root: '/srv/ada/tessera', home: '/home/ada' };

test('paths of this machine and registry hosts are found, with their lines', () => {
  const files = new Map([
    ['a.ts', "one\nconst path = '/srv/ada/tessera/x';"],
    ['b.md', 'see /home/ada/notes'],
    ['c.json', `"resolved": "${'https://'}registry.example.org/x.tgz"`],
    ['d.json', `"resolved": "${'https://'}packages.example.org/x.tgz"`],
  ]);
  expect(findLeaks(files, machine).map(({ file, line }) => `${file}:${line}`)).toEqual([
    'a.ts:2',
    'b.md:1',
    'c.json:1',
    'd.json:1',
  ]);
});

test('paths that exist on every machine are not reported', () => {
  const files = new Map([['a.sh', '/usr/bin/env /tmp/x /home/someone /root/.npm']]);
  expect(findLeaks(files, machine)).toEqual([]);
  expect(findLeaks(files, { root: '/tmp/tessera', home: '/root' })).toEqual([]);
});
