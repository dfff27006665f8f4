import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'node',
  target: 'node20.19',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // The bundle must contain nothing that package.json does not declare.
  deps: { onlyBundle: [] },
});
