import './prelude.ts';

const { runProcess } = await import('./run-process.ts');
await runProcess();
