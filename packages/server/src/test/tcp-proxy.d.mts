import type { NetConnectOpts } from 'node:net';

export interface TcpProxyOptions {
  /** `{ host, port }`, or `{ path }` for a Unix socket. */
  readonly target: NetConnectOpts;
}

/** Every fault lasts until `resume()`; dropped connections stay dead after it. */
export interface TcpProxy {
  /** Listens on 127.0.0.1. */
  readonly port: number;
  /** Number of open client connections. */
  connections(): number;
  /** Drops every byte of open and new connections. A connect still succeeds, but no response ever arrives. */
  blackhole(): void;
  /** Drops every byte of the open connections. New ones pass, as after a firewall has lost its connection table. */
  forget(): void;
  /** Delays every packet by this many milliseconds, in each direction. */
  delay(ms: number): void;
  /** Ends the open connections with a TCP reset. New ones pass. */
  reset(): void;
  /** Refuses new connections (ECONNREFUSED). Open ones continue. */
  refuse(): Promise<void>;
  /** Ends the fault. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy>;
