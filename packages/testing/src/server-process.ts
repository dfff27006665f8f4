import { join } from 'node:path';
import { answers, type NodeProcess, startNodeProcess } from './node-process.ts';

const builtServer = join(import.meta.dirname, '../../server/dist/main.js');

/** A server that runs as a process of its own. */
export interface ServerProcess extends NodeProcess {
  readonly port: number;
  /** `http://localhost:{port}`. */
  readonly url: string;
}

export interface ServerProcessOptions {
  readonly dataDir: string;
  /** The script to start. Default: the build of this repository. */
  readonly main?: string;
  /** Options of Node. Default: readable stack traces, which take 70 ms of the start. */
  readonly nodeOptions?: readonly string[];
  /** Settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a server as a process, on the embedded database of its data folder or on `DATABASE_URL`, and waits until it
 * answers. Without `PORT` it listens on a free port.
 *
 * @throws when it does not start, with its output
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { dataDir, main = builtServer, nodeOptions = ['--enable-source-maps'] } = options;
  let port: number | undefined;
  const server = await startNodeProcess({
    script: main,
    nodeOptions,
    env: { PORT: '0', TESSERA_DATA_DIR: dataDir, ...options.env },
    isReady: async lines => {
      port ??= listeningPort(lines);
      return port !== undefined && (await answers(`http://localhost:${port}/health?db=1`));
    },
  });
  if (port === undefined) throw new Error('the server has no port');
  return { ...server, port, url: `http://localhost:${port}` };
}

/** The log is one JSON object per line. */
function listeningPort(lines: readonly string[]): number | undefined {
  const line = lines.find(one => one.includes('"msg":"listening"'));
  return line === undefined ? undefined : JSON.parse(line).port;
}
