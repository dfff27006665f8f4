import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';
import { openTerminal } from './test/terminal.ts';

/** The commands that do something, by what is typed. */
function commandsOf(parent: Command, typed: readonly string[] = []): [name: string, command: Command][] {
  return parent.commands.flatMap(command => {
    const name = [...typed, command.name()];
    return command.commands.length > 0 ? commandsOf(command, name) : [[name.join(' '), command] as const];
  }) as [string, Command][];
}

const commands = commandsOf(createProgram({} as Io));
const has = (command: Command, flag: string) => command.options.some(({ long }) => long === flag);

test('there are these commands', () => {
  expect(commands.map(([name]) => name)).toEqual([
    'start',
    'migrate',
    'rotate-secret',
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
    'projects list',
    'projects create',
    'projects show',
    'projects delete',
    'export',
    'import',
  ]);
});

test('every result can be had as JSON; what start prints is a log of JSON lines already', () => {
  expect(commands.filter(([, command]) => !has(command, '--json')).map(([name]) => name)).toEqual(['start']);
});

test('what cannot be undone can be meant without being asked', () => {
  const asking = commands.filter(([, command]) => has(command, '--yes')).map(([name]) => name);
  expect(asking).toEqual(['keys revoke', 'users delete', 'users sign-out', 'projects delete']);
});

test('every command explains itself, and what is not one is wrong use', async () => {
  for (const [name, command] of commands)
    expect([name, command.description()]).toEqual([name, expect.stringMatching(/\.$/)]);
  expect(await openTerminal({}).run('destroy')).toMatchObject({ code: 2, stdout: '' });
  expect(await openTerminal({}).run('users', 'list', '--limit', 'many')).toMatchObject({ code: 2, stdout: '' });
  expect(await openTerminal({}).run('--help')).toMatchObject({ code: 0, stderr: '' });
});
