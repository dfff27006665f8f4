import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createMissingTracker, openWorkerLiveness } from './worker-liveness.ts';

test.each<[string, [missing: string[], nowMs: number][], string[][]]>([
  ['is not gone at the first look', [[['a'], 0]], [[]]],
  [
    'is gone when it stays missing',
    [
      [['a'], 0],
      [['a'], 3000],
      [['a'], 6000],
      [['a'], 9000],
    ],
    [[], [], ['a'], ['a']],
  ],
  [
    'is there again when it comes back',
    [
      [['a'], 0],
      [[], 3000],
      [['a'], 6000],
      [['a'], 9000],
    ],
    [[], [], [], []],
  ],
  [
    'is not gone because another one is',
    [
      [['a'], 0],
      [['a', 'b'], 6000],
    ],
    [[], ['a']],
  ],
])('a worker that is missing %s', (_, looks, expected) => {
  const findGone = createMissingTracker(6000);
  expect(looks.map(([missing, nowMs]) => findGone(missing, nowMs))).toEqual(expected);
});

/** A message of the PostgreSQL protocol. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

test('a connection that cannot listen for jobs is closed', async () => {
  const ready = message('Z', Buffer.from('I'));
  const server = net.createServer();
  const isClosed = new Promise<void>(resolve =>
    server.on('connection', socket => {
      socket.once('data', () => {
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
        socket.once('data', () => socket.write(message('E', Buffer.from('SERROR\0C57014\0Mno time\0\0'))));
      });
      socket.on('close', () => resolve());
    }),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(openWorkerLiveness({ host: '127.0.0.1', port, user: 'tessera' })).rejects.toThrow('no time');
  await isClosed;
  server.close();
});
