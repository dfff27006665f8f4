import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@tessera/testing/free-port';
import { haproxy, startProgram } from './programs.mjs';

/**
 * HAProxy in front of everything: an address of the primary, an address of the standbys, and the address of the API.
 *
 * @param {{ folder: string, nodes: import('./node.mjs').Node[], serverPorts: number[] }} options
 */
export async function startHaproxy({ folder, nodes, serverPorts }) {
  const ports = { primary: await freePort(), replicas: await freePort(), api: await freePort() };
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configurationOf({ ports, nodes, serverPorts }));
  const { stop } = await startProgram({
    program: haproxy,
    args: ['-db', '-f', file],
    log: join(folder, 'haproxy.log'),
    cwd: folder,
  });
  return { ports, stop };
}

function configurationOf({ ports, nodes, serverPorts }) {
  const database = (name, port, path) => `
listen ${name}
  mode tcp
  bind 127.0.0.1:${port}
  option httpchk GET ${path}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
  timeout client 30m
  timeout server 30m
${nodes.map(node => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`).join('\n')}
`;
  return `defaults
  timeout connect 2s
  timeout check 1s
  timeout client 75s
  timeout server 75s
  timeout http-keep-alive 30s
${database('primary', ports.primary, '/primary')}${database('replicas', ports.replicas, '/replica')}
listen api
  mode http
  bind 127.0.0.1:${ports.api}
  option httpchk GET /ready
  option forwardfor
  option redispatch
  retries 3
  retry-on conn-failure
  default-server inter 500ms fall 1 rise 1
${serverPorts.map((port, index) => `  server tessera${index} 127.0.0.1:${port} check`).join('\n')}
`;
}
