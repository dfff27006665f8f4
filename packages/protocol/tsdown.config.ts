import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'neutral',
  target: 'es2022',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // A dependency that package.json does not declare must not be bundled.
  deps: { onlyBundle: [] },
});
