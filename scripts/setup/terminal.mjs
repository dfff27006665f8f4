/** An expected failure. Its message explains the problem, so no stack trace is printed. */
export class Problem extends Error {}

export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** Runs the main function of a command and turns an error into an exit code. */
export async function main(body) {
  try {
    await body(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`\n${error instanceof Problem ? error.message : error.stack}\n\n`);
    process.exitCode = 1;
  }
}

export function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
