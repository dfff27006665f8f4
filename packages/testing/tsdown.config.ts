import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'node',
  target: 'node20.19',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // The package is not published: its dependencies are development dependencies, and loaded from where they are installed.
  deps: { neverBundle: [/^@tessera\//], skipNodeModulesBundle: true },
});
