import { type SpawnOptions, spawn } from 'node:child_process';
import type { ClusterLocation } from './cluster-location.ts';

/** How a program ended, and what it printed on both channels. */
export interface Outcome {
  code: number | null;
  output: string;
}

/** What every program of PostgreSQL is started with: the cluster's account, and nothing from our environment. */
export function spawnOptions({ folder, account }: ClusterLocation): SpawnOptions {
  return { cwd: folder, env: { LC_ALL: 'C' }, windowsHide: true, ...account };
}

/** Runs a program to its end. Fails only when it cannot be started at all. */
export function run(location: ClusterLocation, program: string, args: string[], input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(location), stdio: 'pipe' });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // A program that ends before it read its input is judged by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.once('error', reject);
    child.once('close', code => resolve({ code, output }));
  });
}
