import type { Command } from 'commander';
import { Failure, wrongUse } from './failure.ts';
import type { Io } from './io.ts';
import type { TargetOptions } from './target.ts';

export interface JsonOption {
  readonly json?: boolean;
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON, and nothing else, on standard output');
}

/** For commands about one project at a server. */
export function withTarget(command: Command): Command {
  return withJson(command)
    .option('--api-url <url>', 'address of the server (TESSERA_API_URL)')
    .option('--project <id>', 'id of the project (TESSERA_PROJECT_ID)');
}

export type ProjectOptions = TargetOptions & JsonOption;

export interface YesOption {
  readonly yes?: boolean;
}

export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask whether this is meant');
}

/** Before anything that cannot be undone: asks where somebody can answer, and wants `--yes` elsewhere. */
export async function assertMeant(io: Io, { yes }: YesOption, question: string): Promise<void> {
  if (yes === true) return;
  if (!io.isInteractive) throw wrongUse(`${question} Nobody can be asked here: add --yes if this is meant.`);
  if (!(await io.confirm(question))) throw new Failure('Nothing was changed.');
}

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `10m`, `2h`, `90d` in milliseconds. */
export function duration(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  const unitMs = unitsMs[match?.[2] ?? ''];
  if (match === null || unitMs === undefined)
    throw wrongUse(`${text} is not a duration. Write it like 10m, 2h or 90d.`);
  return Number(match[1]) * unitMs;
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw wrongUse(`${text} is not a whole number from ${min} to ${max}.`);
  };
}

/** A secret that the person keeps in a variable: on the command line everybody on the machine could read it. */
export function secretFrom({ env }: Pick<Io, 'env'>, variable: string): string {
  const secret = env[variable];
  if (secret === undefined) throw wrongUse(`The variable ${variable} is not set.`);
  return secret;
}
