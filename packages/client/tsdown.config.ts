import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'neutral',
  // A file per module, as written: an app's bundler then takes what the app uses. Bundled here, the levels would stick together.
  unbundle: true,
  target: 'es2022',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // What package.json does not declare must not slip into the bundle.
  deps: { onlyBundle: [] },
});
