import { CommanderError } from 'commander';
import { exitCodes, failureOf } from './failure.ts';
import { type Io, note } from './io.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command.
 *
 * @param args what follows the program's name
 * @returns the exit code: 0 done, 1 failed, 2 wrong use. What went wrong has been said on standard error.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said it already; help that was asked for is a success.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.wrongUse;
    const failure = failureOf(error);
    await note(io, failure.message);
    return failure.exitCode;
  }
}
