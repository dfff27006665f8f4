import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** The errors of the compiler in a file of this folder. */
function errorsIn(code: string): string[] {
  const path = join(import.meta.dirname, 'app-without-options.ts');
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = name => name === path || fileExists(name);
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, code, version) : getSourceFile(name, version);
  const program = ts.createProgram([path], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

// The compiler explains a union of options by its last member, which must be the one of an app with keys.
test('the compiler names the option that a new app lacks', { timeout: 60_000 }, () => {
  const errors = errorsIn(`
    import { AdminApp } from './admin-app.ts';
    import { ClientApp } from './app.ts';
    new ClientApp({ projectId: 'p' });
    new AdminApp({ projectId: 'p' });
  `);
  expect(errors).toEqual([
    expect.stringMatching(/Property 'tokenStore' is missing .* required in type 'ClientAppOptions/),
    expect.stringMatching(/Property 'tokenStore' is missing .* required in type 'AdminKeys/),
  ]);
});
