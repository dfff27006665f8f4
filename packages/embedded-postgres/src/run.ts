import { type SpawnOptions, spawn } from 'node:child_process';
import type { ClusterLocation } from './cluster-location.ts';

/** The exit code of a program, and its output on both channels. */
export interface Outcome {
  code: number | null;
  output: string;
}

/** Spawn options of every PostgreSQL program: the cluster's account, and none of our environment variables. */
export function spawnOptions({ folder, account }: ClusterLocation): SpawnOptions {
  return { cwd: folder, env: { LC_ALL: 'C' }, windowsHide: true, ...account };
}

/** Runs a program until it exits. Fails only when the program cannot be started. */
export function run(location: ClusterLocation, program: string, args: string[], input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(location), stdio: 'pipe' });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // A program that exits before it has read its input is judged by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', reject);
    child.once('close', code => resolve({ code, output }));
  });
}
