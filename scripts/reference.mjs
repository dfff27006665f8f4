// @ts-nocheck: the plugin extends options and nodes of typedoc without types.
import { join, relative, sep } from 'node:path';
import { Problem } from './terminal.mjs';
import { root } from './workspace.mjs';

/**
 * What apps import, by package, and the sources behind it. Of the client every member has to be described, of React
 * every component and every hook: their props are mostly those of the elements that they render.
 */
export const documented = [
  { folder: join(root, 'packages/client'), doors: ['src/index.ts', 'src/stack.ts'], describesMembers: true },
  {
    folder: join(root, 'packages/react'),
    doors: [
      'src/index.ts',
      'src/adapters/next.tsx',
      'src/adapters/next-client.tsx',
      'src/adapters/react-router.tsx',
      'src/adapters/tanstack-router.tsx',
    ],
    describesMembers: false,
  },
];

/** Reads a package with its doc comments. `write` makes a page per object of it in a folder. */
export async function readReference({ folder, doors }) {
  const { Application, LogLevel } = await import('typedoc');
  const { load } = await import('typedoc-plugin-markdown');
  const app = await Application.bootstrapWithPlugins({
    plugin: [load],
    entryPoints: doors.map(door => join(folder, door)),
    tsconfig: join(folder, 'tsconfig.json'),
    basePath: join(folder, 'src'),
    readme: 'none',
    excludeExternals: true,
    excludePrivate: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    hidePageHeader: true,
    logLevel: LogLevel.Error,
  });
  const project = await app.convert();
  if (project === undefined) throw new Problem(`typedoc cannot read ${relative(root, folder)}.`);
  return {
    project,
    write(target) {
      // Links into folders that whoever reads the pages may not have.
      for (const reflection of Object.values(project.reflections)) delete reflection.sources;
      app.options.setValue('outputs', [{ name: 'markdown', path: target }]);
      return app.generateOutputs(project);
    },
  };
}

/** The exports of a package, and their members, that have no doc comment: file, line and name of each. */
export async function listUndocumented({ folder, describesMembers }, { project }) {
  const { ReflectionKind } = await import('typedoc');
  const { Project, SomeModule, Reference, TypeLiteral, SomeSignature } = ReflectionKind;
  // Types without a name are described where they are used.
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
  // A member is listed for each object that inherits it.
  return [...new Set(missing)].sort();
}

/** A function is described by its signatures. */
function hasComment(reflection) {
  const own = reflection.getNonIndexSignatures();
  const signatures = own.length > 0 ? own : (reflection.type?.declaration?.signatures ?? []);
  return reflection.hasComment() || (signatures.length > 0 && signatures.every(signature => signature.hasComment()));
}
