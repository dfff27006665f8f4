import type { NetConnectOpts } from 'node:net';

export interface TcpProxyOptions {
  /** `{ host, port }`, or `{ path }` for a Unix socket. */
  readonly target: NetConnectOpts;
}

/** Every fault lasts until `resume()`; connections that were swallowed stay dead after it. */
export interface TcpProxy {
  /** Listens on 127.0.0.1. */
  readonly port: number;
  /** Number of client connections that are open. */
  connections(): number;
  /** Drops every byte of the open connections and of new ones. A connect still succeeds, but no answer ever comes. */
  blackhole(): void;
  /** Drops every byte of the open connections. New ones pass: a firewall that has lost its table of connections. */
  forget(): void;
  /** Delays every packet by this many milliseconds, in each direction. */
  delay(ms: number): void;
  /** Ends the open connections with a TCP reset. New ones pass. */
  reset(): void;
  /** Refuses new connections (ECONNREFUSED). Open ones go on. */
  refuse(): Promise<void>;
  /** Ends the fault. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy>;
