// @ts-nocheck: the plugin extends typedoc's options and nodes without types.
import { join, relative, sep } from 'node:path';
import { Problem } from '../../setup/terminal.mjs';
import { root } from '../../setup/workspace.mjs';

/**
 * The packages that apps import, with their source files. In the client every member needs a description; in React every
 * component and hook, because their props are mostly those of HTML elements.
 */
export const documented = [
  { folder: join(root, 'packages/client'), entryPoints: ['src/index.ts', 'src/stack.ts'], describesMembers: true },
  {
    folder: join(root, 'packages/react'),
    entryPoints: [
      'src/index.ts',
      'src/adapters/next.tsx',
      'src/adapters/next-client.tsx',
      'src/adapters/react-router.tsx',
      'src/adapters/tanstack-router.tsx',
    ],
    describesMembers: false,
  },
];

/** Reads a package with its doc comments. `write` writes one page per export to a folder. */
export async function readReference({ folder, entryPoints }) {
  const { Application, LogLevel } = await import('typedoc');
  const { load } = await import('typedoc-plugin-markdown');
  const app = await Application.bootstrapWithPlugins({
    plugin: [load],
    entryPoints: entryPoints.map(entryPoint => join(folder, entryPoint)),
    tsconfig: join(folder, 'tsconfig.json'),
    basePath: join(folder, 'src'),
    readme: 'none',
    excludeExternals: true,
    excludePrivate: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    hidePageHeader: true,
    logLevel: LogLevel.Error,
    // The types are another check.
    skipErrorChecking: true,
  });
  const project = await app.convert();
  if (project === undefined) throw new Problem(`typedoc cannot read ${relative(root, folder)}.`);
  return {
    project,
    write(target) {
      // Readers of the pages may not have these folders.
      for (const reflection of Object.values(project.reflections)) delete reflection.sources;
      app.options.setValue('outputs', [{ name: 'markdown', path: target }]);
      return app.generateOutputs(project);
    },
  };
}

/** Exports and members without a doc comment: file, line and name. */
export async function listUndocumented({ folder, describesMembers }, { project }) {
  const { ReflectionKind } = await import('typedoc');
  const { Project, SomeModule, Reference, TypeLiteral, SomeSignature } = ReflectionKind;
  // Anonymous types are described where they are used.
  const isInside = reflection => reflection.parent?.kindOf(TypeLiteral | SomeSignature) === true;
  const isMember = reflection => reflection.parent?.kindOf(Project | SomeModule) === false;
  const isOurs = ({ fullFileName }) => fullFileName.startsWith(folder + sep);

  const missing = Object.values(project.reflections)
    .filter(reflection => reflection.isDeclaration() && !reflection.kindOf(SomeModule | Reference | TypeLiteral))
    .filter(reflection => !isInside(reflection) && !hasComment(reflection))
    .filter(reflection => describesMembers || !isMember(reflection))
    .flatMap(reflection => {
      const source = reflection.sources?.find(isOurs);
      return source ? [`${relative(root, source.fullFileName)}:${source.line} ${reflection.name}`] : [];
    });
  // An inherited member is listed once per object.
  return [...new Set(missing)].sort();
}

/** Exported functions, classes, components and other values without an `@example`: file, line and name. */
export async function listWithoutExample({ folder }, { project }) {
  const { ReflectionKind } = await import('typedoc');
  const { Project, SomeModule, Function: FunctionKind, Variable, Class } = ReflectionKind;
  const isOurs = ({ fullFileName }) => fullFileName.startsWith(folder + sep);

  return Object.values(project.reflections)
    .filter(reflection => reflection.kindOf(FunctionKind | Variable | Class))
    .filter(reflection => reflection.parent?.kindOf(Project | SomeModule) && !hasExample(reflection))
    .flatMap(reflection => {
      const source = reflection.sources?.find(isOurs);
      return source ? [`${relative(root, source.fullFileName)}:${source.line} ${reflection.name}`] : [];
    })
    .sort();
}

function hasExample(reflection) {
  const own = reflection.getNonIndexSignatures?.() ?? [];
  const all = [reflection, ...own, ...(reflection.type?.declaration?.signatures ?? [])];
  return all.some(({ comment }) => comment?.getTag('@example') !== undefined);
}

/** The signatures of a function carry its comments. */
function hasComment(reflection) {
  const own = reflection.getNonIndexSignatures();
  const signatures = own.length > 0 ? own : (reflection.type?.declaration?.signatures ?? []);
  return reflection.hasComment() || (signatures.length > 0 && signatures.every(signature => signature.hasComment()));
}
