import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'node',
  target: 'node20.19',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // One file per source file: stack traces name the source, and a module finds the files beside it (migrations) in both places.
  unbundle: true,
  copy: [
    { from: 'src/migrations', to: 'dist' },
    { from: 'src/platform/crypto/*-worker.mjs', to: 'dist/platform/crypto' },
  ],
  // What package.json does not declare must not slip into the bundle.
  deps: { onlyBundle: [] },
});
