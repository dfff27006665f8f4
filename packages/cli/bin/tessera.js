#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=4 --min-semi-space-size=4
// This file exists before any build, so that npm can link it. The first line saves memory at the
// same throughput (see packages/cli/README.md).
import * as nodeModule from 'node:module';
import { join } from 'node:path';

// As in packages/server/src/prelude.ts: the second run loads the compiled code on Node 22 and newer, and older versions
// do not load the code of `fetch` before it is used.
nodeModule.enableCompileCache?.(join(import.meta.dirname, '../dist/.compile-cache'));
globalThis.navigator ??= { userAgent: `Node.js/${process.versions.node}` };

await import('@tessera/cli/main');
