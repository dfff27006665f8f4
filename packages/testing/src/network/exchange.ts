import { connect, type Socket } from 'node:net';

/** Writes bytes to a connection and reads until the server closes it. */
export async function exchange(port: number, ...bytes: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer = readAll(socket);
  for (const part of bytes) {
    if (socket.destroyed) break;
    const isTaken = socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    if (!isTaken) await waitForDrain(socket);
  }
  return answer;
}

function readAll(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    let text = '';
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
    });
    // A server that refuses a body closes the connection while the client still writes it.
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      socket.off('drain', end);
      socket.off('close', end);
      resolve();
    };
    socket.on('drain', end);
    socket.on('close', end);
  });
}
