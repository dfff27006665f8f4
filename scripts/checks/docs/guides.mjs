import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cacheFolder, root } from '../../setup/workspace.mjs';

const guides = join(root, 'docs');

/** Type declarations of frameworks that the guides import and that are not installed here. */
const frameworks = `
declare module '*.css' {}
declare module 'vue' {
  export interface ShallowRef<T> {
    value: T;
  }
  export function shallowRef<T>(value: T): ShallowRef<T>;
  export function onScopeDispose(stop: () => void): void;
}
declare module '@playwright/test' {
  import type { BrowserContext, Locator, Page } from 'playwright-core';
  interface Fixtures {
    readonly context: BrowserContext;
    readonly page: Page;
    readonly baseURL: string | undefined;
  }
  export type { BrowserContext };
  export function test(title: string, run: (fixtures: Fixtures) => Promise<void>): void;
  export function expect(locator: Locator): { toBeVisible(): Promise<void> };
}
declare module 'next' {
  export interface Metadata {
    readonly title: string;
  }
}
interface PageProps<Path extends string> {
  readonly params: Promise<{ readonly path: readonly string[] }>;
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}
declare module 'next/headers' {
  interface Cookies {
    getAll(): { name: string; value: string }[];
    set(name: string, value: string, options?: object): unknown;
    delete(name: string): unknown;
  }
  export function cookies(): Promise<Cookies>;
  export function headers(): Promise<Headers>;
}
declare module 'next/navigation' {
  export function redirect(url: string, type?: unknown): never;
}
declare module 'next/headers.js' {
  export function cookies(): Promise<{ getAll(): { name: string; value: string }[] }>;
  export function headers(): Promise<Headers>;
}
declare module 'next/navigation.js' {
  export function notFound(): never;
  export function usePathname(): string;
  export function useRouter(): { push(href: string): void; replace(href: string): void; refresh(): void };
}
declare module 'next/server' {
  export function connection(): Promise<void>;
}
declare module 'next/server.js' {
  export function connection(): Promise<void>;
  export class NextResponse extends Response {
    static next(init?: { readonly request: { readonly headers: Headers } }): NextResponse;
    static redirect(url: URL): NextResponse;
  }
}
`;

const settings = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    jsx: 'react-jsx',
    noUnusedLocals: false,
    module: 'esnext',
  },
  include: ['.'],
};

/** The text of the guides, by file name. */
export function readGuides() {
  return readFolder(guides);
}

/** The text of the quickstarts, by file name. Their code is that of the example app with this name. */
export function readQuickstarts() {
  return readFolder(join(guides, 'quickstarts'));
}

function readFolder(folder) {
  const files = readdirSync(folder).filter(file => file.endsWith('.md'));
  return new Map(files.map(file => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** The text of the README of the repository and of each package, app and example, by folder. */
export function readReadmes() {
  const folders = ['packages', 'apps', 'examples'].flatMap(parent =>
    readdirSync(join(root, parent)).map(name => join(parent, name)),
  );
  const files = ['.', ...folders].map(folder => [folder, join(root, folder, 'README.md')]);
  return new Map(
    files.filter(([, file]) => existsSync(file)).map(([folder, file]) => [folder, readFileSync(file, 'utf8')]),
  );
}

/** The code blocks of a README. They have no file name, and a numbered step indents its block. */
export function listReadmeCode(text) {
  return [...text.matchAll(/^( *)```(tsx?|jsx?)\n([\s\S]*?)^\1```$/gm)].map(([, indent, extension, code], index) => ({
    name: `block-${index}.${extension}`,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The code blocks of a guide, by the file name in the comment of their first line. */
export function listCode(text) {
  return [...text.matchAll(/^```(?:tsx?|js)\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, code]) => ({ name, code }));
}

/**
 * Writes all code blocks to a folder per guide, in which the packages of the workspace resolve.
 *
 * @param name of the folder. Test files that run at the same time need different ones.
 * @returns the folder.
 */
export function writeCode(texts, name = 'guides') {
  const folder = join(cacheFolder, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [guide, text] of texts) {
    writeBlocks(join(folder, basename(guide, '.md')), listCode(text));
  }
  writeFileSync(join(folder, 'frameworks.d.ts'), frameworks);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return folder;
}

/** Writes code blocks to files of their names in a folder. */
export function writeBlocks(folder, blocks) {
  for (const { name, code } of blocks) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}
