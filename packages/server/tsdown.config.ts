import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

export default defineConfig({
  entry: listEntryPoints(import.meta.dirname),
  platform: 'node',
  target: 'node20.19',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // Few files instead of hundreds: loading them is most of the start. Source maps keep the stack traces readable.
  copy: [
    { from: 'src/migrations', to: 'dist' },
    { from: 'src/platform/crypto/*-worker.mjs', to: 'dist' },
  ],
  // What package.json does not declare must not slip into the bundle.
  deps: { onlyBundle: [] },
});
