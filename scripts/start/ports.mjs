import { createServer } from 'node:net';
import { Problem } from '../setup/terminal.mjs';

/** Reads a port from an environment variable. */
export function portFrom(variable, fallback) {
  const text = process.env[variable] || String(fallback);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Problem(`${variable} is "${text}". It must be a port number from 1 to 65535.`);
}

/** Where a process of this machine reaches a server that listens on a host; one on all addresses is reached on the loopback. */
export function addressOf(host, port) {
  const loopbacks = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = loopbacks[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Fails when the port is in use. The message names the variable that changes it. */
export async function assertPortIsFree(port, { host, variable, purpose }) {
  const error = await tryListen(port, host);
  if (!error) return;
  if (error.code === 'EADDRINUSE') throw new Problem(await takenMessage(port, { host, variable, purpose }));
  if (error.code === 'EACCES') {
    throw new Problem(
      `Your user may not open port ${port}. Choose a port above 1023: ${variable}=${port + 8000} npm start`,
    );
  }
  throw new Problem(`${purpose} cannot listen on ${host}:${port}: ${error.message}`);
}

async function takenMessage(port, { host, variable, purpose }) {
  const isOurs = await isTessera(addressOf(host, port));
  return `Port ${port}, for ${purpose}, is in use${isOurs ? ' by another running Tessera' : ''}.\n${portAdvice({ port, variable, isOurs })}`;
}

/** A second Tessera needs a data folder and ports of its own; a third one gets others than the second. */
export function portAdvice({ port, variable, isOurs }) {
  if (!isOurs) return `Stop that program, or choose another port: ${variable}=${port + 100} npm start`;
  const next = (variable === 'PORT' ? port : port - 1) + 100;
  const settings = `PORT=${next} DEMO_PORT=${next + 1} TESSERA_DATA_DIR=.tessera-${next}`;
  return `Stop it, or start another one beside it: ${settings} npm start`;
}

async function isTessera(address) {
  try {
    const response = await fetch(`${address}/api/v1`, { signal: AbortSignal.timeout(1000) });
    return response.headers.has('x-stack-request-id');
  } catch {
    // Another program may answer anything, or not at all.
    return false;
  }
}

function tryListen(port, host) {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
