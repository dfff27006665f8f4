import { defineConfig } from 'tsdown';
import { doorsOf } from '../../scripts/doors.mjs';

export default defineConfig({
  entry: doorsOf(import.meta.dirname),
  platform: 'node',
  target: 'node20.19',
  dts: { enabled: false },
  sourcemap: true,
  fixedExtension: false,
  // What package.json does not declare must not slip into the bundle.
  deps: { onlyBundle: [] },
});
