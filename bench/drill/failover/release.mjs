import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../processes.mjs';

/** Online, as every migration: it expands only (CONTRIBUTING.md, "Add a migration"). */
const migration = `alter table projects add column drilled_at timestamptz;
create table drilled (project_id text primary key references projects (id) on delete cascade, note text not null);
`;

/**
 * The next release: a copy of this one with a migration more.
 *
 * @returns its script
 */
export async function makeNextRelease({ folder, main }) {
  const built = dirname(main);
  const release = join(folder, 'next/packages/server');
  await mkdir(release, { recursive: true });
  await cp(built, join(release, 'dist'), { recursive: true });
  await cp(join(built, '../package.json'), join(release, 'package.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'next/node_modules'));
  await symlink(join(built, '../node_modules'), join(release, 'node_modules')).catch(() => undefined);
  await writeFile(join(release, 'dist/migrations/9999-drill.sql'), migration);
  return join(release, 'dist/main.js');
}
