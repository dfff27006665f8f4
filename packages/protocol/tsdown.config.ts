import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'neutral',
  target: 'es2022',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // What package.json does not declare must not slip into the bundle.
  deps: { onlyBundle: [] },
});
