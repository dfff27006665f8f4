import type { Command } from 'commander';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import type { Io } from './io.ts';
import { cleaningCommands, createProgram } from './program.ts';
import { openTerminal } from './test/terminal.ts';

/** The commands without subcommands, by their full name. */
function commandsOf(parent: Command, typed: readonly string[] = []): [name: string, command: Command][] {
  return parent.commands.flatMap(command => {
    const name = [...typed, command.name()];
    return command.commands.length > 0 ? commandsOf(command, name) : [[name.join(' '), command] as const];
  }) as [string, Command][];
}

const commands = commandsOf(createProgram({} as Io));
const has = (command: Command, flag: string) => command.options.some(({ long }) => long === flag);

test('the program has these commands', () => {
  expect(commands.map(([name]) => name)).toEqual([
    'start',
    'migrate',
    'rotate-secret',
    'backup',
    'restore',
    'doctor',
    'login',
    'whoami',
    'logout',
    'keys list',
    'keys create',
    'keys revoke',
    'users list',
    'users show',
    'users create',
    'users delete',
    'users sign-out',
    'users suspend',
    'users unsuspend',
    'users allow-sign-in',
    'users import',
    'projects list',
    'projects create',
    'projects show',
    'projects update',
    'projects delete',
    'export',
    'import',
    'seed',
  ]);
});

test('every command except start has a --json option', () => {
  expect(commands.filter(([, command]) => !has(command, '--json')).map(([name]) => name)).toEqual(['start']);
});

test('every command that may start the embedded PostgreSQL stops it when it is interrupted', () => {
  const opening = commands.filter(([, command]) => has(command, '--data-dir')).map(([name]) => name);
  expect(opening).toContain('migrate');
  expect(opening.filter(name => !cleaningCommands.has(name))).toEqual([]);
});

test('every command that locks users out or is irreversible has a --yes option', () => {
  const asking = commands.filter(([, command]) => has(command, '--yes')).map(([name]) => name);
  expect(asking).toEqual(['keys revoke', 'users delete', 'users sign-out', 'users suspend', 'projects delete']);
});

test('--version prints the version of the package, which is that of the server', async () => {
  const { stdout } = await openTerminal({}).run('--version');
  expect(stdout).toBe(`${manifest.version}\n`);
  expect(manifest.dependencies['@tessera/server']).toBe(manifest.version);
});

test('every command has help, and an unknown command or option value exits with 2', async () => {
  for (const [name, command] of commands)
    expect([name, command.description()]).toEqual([name, expect.stringMatching(/\.$/)]);
  expect(await openTerminal({}).run('destroy')).toMatchObject({ code: 2, stdout: '' });
  expect(await openTerminal({}).run('users', 'list', '--limit', 'many')).toMatchObject({ code: 2, stdout: '' });
  expect(await openTerminal({}).run('--help')).toMatchObject({ code: 0, stderr: '' });
});
