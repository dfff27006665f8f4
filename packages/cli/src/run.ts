import { CommanderError } from 'commander';
import { exitCodes, toFailure } from './failure.ts';
import { type Io, note } from './io.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command.
 *
 * @param args the arguments after the name of the program
 * @returns the exit code: 0 success, 1 failure, 2 invalid command line. Errors are printed on standard error.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the error already. Help on request is a success.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usageError;
    const failure = toFailure(error);
    await note(io, failure.message);
    return failure.exitCode;
  }
}
