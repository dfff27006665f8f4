// Prints how Node was started, and ends the process before the program runs.
const start = { node: process.execArgv, program: process.argv.slice(2), arenas: process.env.MALLOC_ARENA_MAX };
process.stdout.write(JSON.stringify(start), () => process.exit());
