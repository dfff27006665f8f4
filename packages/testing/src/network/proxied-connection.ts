import type { TestPostgres } from '../database.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A connection to a database through a proxy that simulates network faults. */
export async function proxyTo(connection: TestPostgres): Promise<{ proxy: TcpProxy; connection: TestPostgres }> {
  const { host, port } = connection;
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const proxy = await startTcpProxy({ target });
  return { proxy, connection: { ...connection, host: '127.0.0.1', port: proxy.port } };
}
