import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../env.ts';
import { connectionsOfProcess } from './counts.ts';

const root = join(import.meta.dirname, '../../../../../..');
const byDefault = connectionsOfProcess(readSettings({}));
const besidesRequests = connectionsOfProcess({ databasePool: 0 });

test.each([
  ['README.md', `opens at most ${byDefault} connections to the database`],
  [
    'docs/operations/connections.md',
    `\`TESSERA_DATABASE_POOL\` + ${besidesRequests} connections to the primary, ${byDefault} by default`,
  ],
  ['docs/operations/connections.md', `needs ${byDefault} for each process, ${byDefault} more for the process`],
  ['packages/server/README.md', `opens at most ${byDefault} connections`],
  ['packages/server/README.md', `4 workers open up to ${4 * byDefault}`],
])('%s says of the connections of a process: %s', (file, sentence) => {
  expect(readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ').includes(sentence)).toBe(true);
});
