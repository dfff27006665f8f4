// @ts-nocheck: the library declares its results as a union without a common field.
import { readFileSync } from 'node:fs';

/** Findings of arethetypeswrong that are intended. */
const accepted = [
  {
    kind: 'CJSResolvesToESM',
    because:
      'The packages are ES modules only. Node 20.19 and newer can require those; older releases are not supported.',
  },
  {
    kind: 'NoResolution',
    resolutionKind: 'node10',
    because: 'Node before version 12 does not read "exports", so current packages do not support it.',
  },
];

/** What TypeScript before 5.7 reports as not generic, where an app checks the declarations of its libraries. */
const newGeneric = /\b(?:\w+Array|DataView|ArrayBufferView)<ArrayBuffer/;

/** Problems in the types of a packed package, one line each: those of arethetypeswrong, and types of new compilers only. */
export async function findTypeProblems(tarball) {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { problemKindInfo } = await import('@arethetypeswrong/core/problems');
  const packed = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  // Programs and files that are not code have no types.
  const { types, problems } = await checkPackage(packed, { excludeEntrypoints: [/\.css$/] });
  if (types === false) return [];
  const lines = problems.filter(problem => !isAccepted(problem)).map(problem => describe(problem, problemKindInfo));
  // Each way to resolve a module reports the same problem.
  return [...new Set([...lines, ...newGenericsIn(packed)])];
}

function newGenericsIn(packed) {
  const files = packed.listFiles().filter(file => /\.d\.[cm]?ts$/.test(file));
  return files
    .filter(file => newGeneric.test(packed.readFile(file)))
    .map(file => `NewGeneric (${file}): TypeScript before 5.7 has no type parameter for arrays of bytes.`);
}

function isAccepted({ kind, resolutionKind }) {
  return accepted.some(
    row => row.kind === kind && (row.resolutionKind === undefined || row.resolutionKind === resolutionKind),
  );
}

function describe({ kind, entrypoint, resolutionKind, typesFileName, fileName, moduleSpecifier }, kinds) {
  const where = [entrypoint, resolutionKind, typesFileName, fileName, moduleSpecifier].filter(Boolean).join(', ');
  return `${kind} (${where}): ${kinds[kind].description}`;
}
