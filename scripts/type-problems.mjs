// @ts-nocheck: the library declares its results as a union without a common field.
import { readFileSync } from 'node:fs';

/** What arethetypeswrong finds, and we mean to be so. */
const accepted = [
  {
    kind: 'CJSResolvesToESM',
    because:
      'The packages are ES modules only. Node 20.19 and newer can require those, and older ones are not supported.',
  },
  {
    kind: 'NoResolution',
    resolutionKind: 'node10',
    because: 'The resolution of before Node 12 knows no "exports", and with it no package of today.',
  },
];

/** What is wrong with the types of a packed package, as arethetypeswrong sees it: a line for each problem. */
export async function findTypeProblems(tarball) {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { problemKindInfo } = await import('@arethetypeswrong/core/problems');
  const packed = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  // Programs have no types; what is no code has none either.
  const { types, problems } = await checkPackage(packed, { excludeEntrypoints: [/\.css$/] });
  if (types === false) return [];
  const lines = problems.filter(problem => !isAccepted(problem)).map(problem => describe(problem, problemKindInfo));
  // The same problem comes up once per way to resolve.
  return [...new Set(lines)];
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
