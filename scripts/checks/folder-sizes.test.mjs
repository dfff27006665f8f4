import { expect, test } from 'vitest';
import { findLargeFolders, maxFiles } from './folder-sizes.mjs';

const folderOf = (folder, count) => Array.from({ length: count }, (_, index) => [`${folder}/${index}.ts`, '']);

test('a source folder with more files than allowed is reported with their number', () => {
  const files = new Map([...folderOf('packages/server/src/http', maxFiles + 1), ...folderOf('bench', maxFiles)]);
  expect(findLargeFolders(files)).toEqual([
    {
      file: 'packages/server/src/http',
      line: 1,
      message: `holds ${maxFiles + 1} files, more than ${maxFiles}; group them in folders by subject`,
    },
  ]);
});

test.each([
  ['files of subfolders', [...folderOf('e2e', maxFiles), ...folderOf('e2e/support', maxFiles)]],
  ['migrations', folderOf('packages/server/src/migrations', 100)],
  ['documents', folderOf('docs/contract', 100)],
])('%s are not counted', (_, files) => {
  expect(findLargeFolders(new Map(files))).toEqual([]);
});
