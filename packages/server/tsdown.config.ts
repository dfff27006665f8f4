import { defineConfig } from 'tsdown';
import { listEntryPoints } from '../../scripts/setup/entry-points.mjs';

/**
 * Libraries of many small modules that every start loads: as a part of our files they save a fifth of the start and 5 MB
 * of memory. Node loads all others from where they are installed, so that operators can replace them.
 */
const bundled = [/^@tessera\/protocol/, /^zod/, 'bowser', 'ipaddr.js', 'oauth4webapi', 'otpauth'];

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
    { from: 'src/platform/crypto/{password-worker.cjs,common-passwords.bin}', to: 'dist' },
  ],
  // The build fails when the bundle would contain another library.
  deps: { alwaysBundle: bundled, onlyBundle: bundled },
});
