import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * One request as bytes, ready to be sent. Nothing is built per request, so that the load takes little of the machine's time.
 *
 * @param {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} request
 */
export function encodeRequest({ method = 'GET', path, headers = {}, body = '' }) {
  const length = body === '' && method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: 'localhost', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Sends requests over keep-alive connections, one at a time on each, for some time.
 *
 * @param {object} target
 * @param {number} target.port
 * @param {Buffer[]} target.requests sent in turn; every connection begins at another one
 * @param {number} target.connections
 * @param {number} target.seconds
 * @param {number} [target.pauseMs] between an answer and the next request
 * @param {number} [target.status] what every answer must have
 * @returns {Promise<{ rate: number, latenciesMs: number[] }>}
 */
export async function load({ port, requests, connections, seconds, pauseMs = 0, status = 200 }) {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    const connection = await openConnection(port);
    const latenciesMs = [];
    for (let turn = lane; performance.now() < endsAt; turn++) {
      const sentAt = performance.now();
      const answer = await connection.send(requests[turn % requests.length]);
      latenciesMs.push(performance.now() - sentAt);
      if (answer.status !== status)
        throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
      if (pauseMs > 0) await delay(pauseMs);
    }
    connection.close();
    return latenciesMs;
  });
  const latenciesMs = (await Promise.all(lanes)).flat();
  return { rate: (latenciesMs.length * 1000) / (performance.now() - startedAt), latenciesMs };
}

/** Sends one request and reads its answer as JSON. */
export async function ask(port, request, status = 200) {
  const connection = await openConnection(port);
  const answer = await connection.send(encodeRequest(request));
  connection.close();
  if (answer.status !== status) throw new Error(`${request.path}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
}

/** @returns {Promise<{ send(request: Buffer): Promise<{ status: number, text: string }>, close(): void }>} */
export function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  /** @type {{ resolve: (answer: { status: number, text: string }) => void, reject: (error: Error) => void } | undefined} */
  let waiting;
  let received = '';
  const fail = error => waiting?.reject(error);
  socket.setEncoding('latin1');
  socket.on('data', chunk => {
    received += chunk;
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = '';
    waiting?.resolve(answer);
  });
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.on('error', fail);
      resolve({
        send: request =>
          new Promise((resolve, reject) => {
            waiting = { resolve, reject };
            socket.write(request);
          }),
        close: () => socket.destroy(),
      });
    });
  });
}

/** A whole answer, or undefined as long as it is not all there. */
function readAnswer(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const body = text.slice(headEnd + 4);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  const isComplete = length ? body.length >= Number(length[1]) : body.endsWith('0\r\n\r\n');
  return isComplete ? { status: Number(head.slice(9, 12)), text: body } : undefined;
}
