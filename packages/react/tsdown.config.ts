import { defineConfig } from 'tsdown';
import { doorsOf } from '../../scripts/doors.mjs';

export default defineConfig({
  entry: doorsOf(import.meta.dirname),
  platform: 'neutral',
  target: 'es2022',
  // Eager, because the declarations of the component set, bundled too, lie outside this package.
  dts: { enabled: false, eager: true },
  sourcemap: true,
  fixedExtension: false,
  deps: {
    neverBundle: [/^react(\/|$)/, /^react-dom(\/|$)/],
    // The component set is private, so customers get it, with what it imports, as part of this package.
    alwaysBundle: ['@tessera/ui'],
    onlyBundle: false,
  },
  // From its sources: no build of its own to wait for.
  inputOptions: { resolve: { conditionNames: ['source', 'import', 'default'], mainFields: ['module', 'main'] } },
});
