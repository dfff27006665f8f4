import { logLibraryOutput } from '../platform/observability/library-output.ts';
import { createLog, type Log } from '../platform/observability/log.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { RunningServer } from '../running-server.ts';
import { run } from '../server.ts';
import type { RunMessage, ToSupervisor, ToWorker } from './messages.ts';
import { exitAfterFailure, limitHeapGrowth, stopSignals } from './process.ts';

/** `/metrics` fails when the supervisor does not answer in this time. */
const gatherMs = 5_000;
const waiting = new Map<number, (text: string) => void>();
let lastId = 0;
let metrics: Metrics | undefined;
let server: RunningServer | undefined;

/** Runs the server as a worker, with the settings that the supervisor sends, until the supervisor stops it. */
export function runWorker(): void {
  limitHeapGrowth();
  // A terminal and a service manager signal the whole group; the supervisor stops the workers in order.
  for (const signal of [...stopSignals, 'SIGUSR2'] as const) process.on(signal, () => undefined);
  process.on('message', (message: ToWorker) => receive(message));
  sendToSupervisor({ type: 'loaded' });
}

function receive(message: ToWorker): void {
  if (message.type === 'run') void serve(message);
  if (message.type === 'stop') void stop(message);
  if (message.type === 'send-metrics') void sendMetrics(message.id);
  if (message.type === 'all-metrics') waiting.get(message.id)?.(message.text);
}

async function serve({ settings, database, isFirst }: RunMessage): Promise<void> {
  const log: Log = createLog({ level: settings.logLevel }).child({ worker: process.pid });
  logLibraryOutput(log);
  try {
    server = await run(settings, log, {
      database: { ...database, stop: async () => undefined },
      isFirst,
      gatherMetrics,
      onMetrics: own => {
        metrics = own;
      },
    });
    sendToSupervisor({ type: 'ready', port: server.port });
  } catch (error) {
    exitAfterFailure(error, log);
  }
}

async function stop({ isReplaced }: { readonly isReplaced: boolean }): Promise<void> {
  try {
    await server?.stop({ isReplaced });
    process.exit(0);
  } catch {
    // The supervisor reports the code.
    process.exit(1);
  }
}

async function sendMetrics(id: number): Promise<void> {
  if (metrics !== undefined) sendToSupervisor({ type: 'metrics', id, snapshot: await metrics.snapshot() });
}

function gatherMetrics(): Promise<string> {
  const id = ++lastId;
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the supervisor did not send the metrics')), gatherMs);
    waiting.set(id, resolve);
    sendToSupervisor({ type: 'gather-metrics', id });
    timer.unref();
  }).finally(() => waiting.delete(id));
}

function sendToSupervisor(message: ToSupervisor): void {
  process.send?.(message);
}
