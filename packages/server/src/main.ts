import * as nodeModule from 'node:module';
import { join } from 'node:path';

// Node 22 and newer keep compiled code in this folder, which saves a quarter of the time that loading takes. It is beside
// the code, because an account that can write there can change the code anyway. A folder that is not writable is ignored.
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(import.meta.dirname, '.compile-cache'));

const { runProcess } = await import('./run-process.ts');
await runProcess();
