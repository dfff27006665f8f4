import { createRequire } from 'node:module';

/** The version of this package. The sources and the build are both one folder below the file that has it. */
export const { version }: { readonly version: string } = createRequire(import.meta.url)('../package.json');
