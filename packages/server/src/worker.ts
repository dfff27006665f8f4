import './prelude.ts';

const { runWorker } = await import('./workers/run-worker.ts');
runWorker();
