import { findBrokenCitations } from './citations.mjs';
import { findWrongArrows } from './import-arrows.mjs';
import { findLeaks } from './leaks.mjs';
import { listRepositoryFiles, readTexts } from './repository-files.mjs';
import { main, Problem, say } from './terminal.mjs';
import { root } from './workspace.mjs';

const parts = {
  arrows: findWrongArrows,
  citations: findBrokenCitations,
  leaks: files => findLeaks(files, { root }),
};

/** `node scripts/check-sources.mjs arrows|citations|leaks`: the checks that read all sources as text. */
await main(async ([part]) => {
  const found = parts[part](readTexts(await listRepositoryFiles()));
  for (const { file, line, message } of found) say(`${file}:${line}  ${message}`);
  if (found.length > 0) throw new Problem(`${found.length} found.`);
});
