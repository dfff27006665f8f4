import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root } from '../../setup/workspace.mjs';

/** What the examples of doc comments use without declaring it, as a reader of the comment would understand it. */
const scope = `
import type { AdminApp, CurrentUser, MessageAudience, MessageContent, RequestLike, StandardSchema, Team } from '@tessera/client';
import type { AppData } from '@tessera/react/next/client';
import type { ComponentType, ReactNode } from 'react';

type Component = ComponentType<{ children?: ReactNode; fallback?: ReactNode; onReset?: () => void }>;

declare global {
  const app: AdminApp<true>;
  const tessera: AdminApp<true>;
  const user: CurrentUser;
  const team: Team;
  const request: RequestLike;
  const data: AppData;
  const children: ReactNode;
  const router: { readonly basepath: string; readonly history: History; navigate(to: string): void };
  interface History { push(href: string): void; replace(href: string): void }
  const key: { readonly id: string };
  const message: { readonly id: string };
  const endpoint: { readonly id: string };
  const audience: MessageAudience;
  const draft: MessageContent;
  const themeSchema: StandardSchema<{ theme?: string }>;
  const z: { object(shape: object): StandardSchema<{ theme?: string }>; string(): { optional(): unknown } };
  const [code, attemptCode, callbackUrl, email, password, typed, userId]: readonly [string, string, string, string, string, string, string];
  const error: unknown;
  const lastError: unknown;
  function readTokens(): { accessToken: string; refreshToken: string };
  function writeTokens(tokens: unknown): void;
  function parse(given: unknown): { name: string; value: string }[];
  function setCookie(...cookie: unknown[]): void;
  function showSignIn(): void;
  function showOfflineNotice(): void;
  function redirect(to: string): never;
  function createFileRoute(path: string): (options: { component: ComponentType }) => unknown;
  const ErrorBoundary: Component;
  const [Routes, Teams, Invoices, DeleteProject, Sorry]: readonly [Component, Component, Component, Component, Component];
}
`;

/** The entry points whose exports the examples use: the first one that has the name. */
const entryPoints = {
  '@tessera/react': 'packages/react/src/index.ts',
  '@tessera/client': 'packages/client/src/index.ts',
};
const adapters = {
  'stack.ts': '@tessera/client/stack',
  'next-client.tsx': '@tessera/react/next/client',
  'next-server.ts': '@tessera/react/next/server',
  'next.tsx': '@tessera/react/next',
  'react-router.tsx': '@tessera/react/react-router',
  'tanstack-router.tsx': '@tessera/react/tanstack-router',
};

/** The examples in the doc comments of a package: the file, and the code. */
export function listExamples(folder) {
  const source = join(root, folder, 'src');
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .flatMap(entry => {
      const file = join(entry.parentPath, entry.name);
      const found = readFileSync(file, 'utf8').matchAll(/@example\n([\s\S]*?)(?:\*\/|^ *\* @)/gm);
      return [...found].map(([, text]) => ({
        file: relative(root, file),
        code: text.replace(/^ *\* ?/gm, '').trim(),
      }));
    });
}

/** Writes each example as a module into a folder, with the imports that it needs. */
export function writeExamples(folder, examples) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'scope.d.ts'), scope);
  const exported = Object.entries(entryPoints).map(([name, file]) => [name, exportsOf(file)]);
  for (const [index, { file, code }] of examples.entries()) {
    writeFileSync(
      join(folder, `${String(index).padStart(3, '0')}-${basename(file).split('.')[0]}.tsx`),
      moduleOf(file, code, exported),
    );
  }
}

function moduleOf(file, code, exported) {
  const names = [...new Set(code.match(/\b[a-zA-Z]\w*\b/g))];
  const taken = new Set(
    [...code.matchAll(/\b(?:const|function|import|interface) (?:\{ )?(\w+)/g)].map(([, name]) => name),
  );
  const adapter = adapters[basename(file)];
  const known = exported.filter(([name]) => file.startsWith('packages/react') || name === '@tessera/client');
  const imports = (adapter ? [[adapter, exportsOf(file)], ...known] : known).flatMap(([name, exports]) => {
    const used = names.filter(one => exports.has(one) && !taken.has(one));
    for (const one of used) taken.add(one);
    const specifiers = used.map(one => (new RegExp(`^const \\w+: ${one}\\b`).test(code) ? `type ${one}` : one));
    return used.length > 0 ? [`import { ${specifiers.join(', ')} } from '${name}';`] : [];
  });
  return [...imports, ...bodyOf(code), 'export {};', ''].join('\n');
}

/** Declarations stay at the top of the module. Everything else is the body of an asynchronous component. */
function bodyOf(code) {
  if (/^(export|declare) /.test(code)) return [code];
  const body = code.startsWith('<') ? `return (${code});` : code;
  return ['export async function Example() {', body, '}'];
}

/** The names that a module exports, as its export statements and declarations list them. */
function exportsOf(file) {
  const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) => list.split(','));
  const declared = [...text.matchAll(/export (?:async )?(?:function|const|class|interface|type) (\w+)/g)].map(
    ([, name]) => name,
  );
  return new Set(
    [
      ...listed.map(entry =>
        entry
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1),
      ),
      ...declared,
    ].filter(Boolean),
  );
}
