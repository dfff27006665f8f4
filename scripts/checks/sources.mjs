import { main, Problem, print } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { findBrokenCitations } from './citations.mjs';
import { findLargeFolders } from './folder-sizes.mjs';
import { findWrongImports } from './imports/import-rules.mjs';
import { findLeaks } from './leaks.mjs';
import { listRepositoryFiles, readTexts } from './repository-files.mjs';
import { findForeignWrites } from './table-writes.mjs';

const parts = {
  imports: findWrongImports,
  tables: findForeignWrites,
  citations: findBrokenCitations,
  folders: findLargeFolders,
  leaks: files => findLeaks(files, { root }),
};

/** `node scripts/checks/sources.mjs imports|tables|citations|folders|leaks`: the checks that read all sources as text. */
await main(async ([part]) => {
  const found = parts[part](readTexts(await listRepositoryFiles()));
  for (const { file, line, message } of found) print(`${file}:${line}  ${message}`);
  if (found.length > 0) throw new Problem(`Found ${found.length} ${found.length === 1 ? 'problem' : 'problems'}.`);
});
