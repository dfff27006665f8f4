// @vitest-environment happy-dom
import { join } from 'node:path';
import { readGuides, writeCode } from './guides.mjs';

const guide = 'testing-your-app.md';
const folder = writeCode(new Map([[guide, readGuides().get(guide)]]), 'testing-guide');

/** The tests of the guide register themselves as tests of this file. */
await import(join(folder, 'testing-your-app/src/greeting.test.tsx'));
