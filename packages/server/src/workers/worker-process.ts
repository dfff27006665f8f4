import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { findInstalledFile } from '../platform/installed-files.ts';
import { OperatorError } from '../platform/operator-error.ts';
import type { RunMessage, ToSupervisor, ToWorker } from './messages.ts';

/** One worker, as the supervisor sees it. */
export interface WorkerProcess {
  readonly port: number;
  /** Resolves when it has ended, with the reason. */
  readonly ended: Promise<string>;
  send(message: ToWorker): void;
  kill(): void;
}

export interface WorkerProcessOptions {
  readonly run: RunMessage;
  /** Stops a worker that does not listen yet. Default: never. */
  readonly signal?: AbortSignal | undefined;
  readonly onMessage: (message: ToSupervisor, worker: Pick<WorkerProcess, 'send'>) => void;
}

/** How long a stopping worker may drain its requests; longer than any drain. */
export const stopPatienceMs = 90_000;

/**
 * Starts a worker, and resolves when it listens.
 *
 * @throws when it ends before
 */
export async function startWorkerProcess({ run, onMessage, signal }: WorkerProcessOptions): Promise<WorkerProcess> {
  // Settings pass as structured clones, which keep every type.
  cluster.setupPrimary({ exec: findInstalledFile('worker.js'), args: [], serialization: 'advanced' });
  const worker = cluster.fork();
  const ended = once(worker, 'exit').then(([code, signal]) => (signal === null ? `code ${code}` : `signal ${signal}`));
  const send = (message: ToWorker) => {
    // A worker that has just ended is reported by `ended`.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const listening = new Promise<number>(resolve => {
    worker.on('message', (message: ToSupervisor) => {
      if (message.type === 'loaded') send(run);
      else if (message.type === 'ready') resolve(message.port);
      else onMessage(message, { send });
    });
  });
  const failed = ended.then(reason => {
    throw new OperatorError(
      `A worker ended with ${reason} before it listened. The lines above say why, unless the system ended it.`,
    );
  });
  const stop = () => send({ type: 'stop', isReplaced: false });
  signal?.addEventListener('abort', stop);
  const port = await Promise.race([listening, failed]).finally(() => signal?.removeEventListener('abort', stop));
  return { port, ended, send, kill: () => kill(worker) };
}

function kill(worker: Worker): void {
  worker.process.kill('SIGKILL');
}
