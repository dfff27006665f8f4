import type { Command } from 'commander';
import { Failure, usageError } from './failure.ts';
import type { Io } from './io.ts';
import type { TargetOptions } from './target.ts';

export interface JsonOption {
  readonly json?: boolean;
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print only the result, as JSON, on standard output');
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
  return command.option('--yes', 'do not ask for confirmation');
}

/** Confirms an irreversible action: asks in an interactive terminal, requires `--yes` elsewhere. */
export async function confirmOrFail(io: Io, { yes }: YesOption, question: string): Promise<void> {
  if (yes === true) return;
  if (!io.isInteractive) throw usageError(`${question} This terminal cannot ask. Add --yes to confirm.`);
  if (!(await io.confirm(question))) throw new Failure('Nothing was changed.');
}

const dayMs = 86_400_000;
const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: dayMs };

/** A hundred years. A date that is too far away is not a date for JavaScript. */
const maxDays = 36_500;

/** Parses `30s`, `10m`, `2h` or `90d` into milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  const unitMs = unitsMs[match?.[2] ?? ''];
  if (match === null || unitMs === undefined)
    throw usageError(`${text} is not a duration. Write it like 10m, 2h or 90d.`);
  const durationMs = Number(match[1]) * unitMs;
  if (durationMs > maxDays * dayMs) throw usageError(`${text} is too long. Write at most ${maxDays}d.`);
  return durationMs;
}

export function parseWholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw usageError(`${text} is not a whole number from ${min} to ${max}.`);
  };
}

/** Reads a secret from a variable. On the command line, all users of the machine could read it. */
export function readSecretVariable({ env }: Pick<Io, 'env'>, variable: string): string {
  const secret = env[variable];
  if (secret === undefined) throw usageError(`The variable ${variable} is not set.`);
  return secret;
}
