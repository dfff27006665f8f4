#!/usr/bin/env -S node --max-semi-space-size=4
// This file exists before any build, so that npm can link it. The small young generation saves
// memory at the same throughput (see packages/cli/README.md).
import '@tessera/cli/main';
