import { expect, test } from 'vitest';
import { errorReference } from './test/error-reference.ts';

// `npx vitest run --project protocol src/error-reference.test.ts -u` writes the file.
test('docs/errors.md has one entry for every code of the catalogue', async () => {
  await expect(errorReference()).toMatchFileSnapshot('../../../docs/errors.md');
});
