import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNameResolver } from './resolve-name.ts';

const typeA = 1;
const noSuchName = 3;
let server: dgram.Socket;
let servers: string[];
let asked: string[];

/** A name server: `known.test` has an address, `silent*.test` is never answered, no other name exists. */
beforeEach(async () => {
  asked = [];
  server = dgram.createSocket('udp4', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    asked.push(name);
    if (name.startsWith('silent')) return;
    const hasAddress = name === 'known.test' && type === typeA;
    const answer = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 1]);
    const header = Buffer.alloc(12);
    question.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (name === 'known.test' ? 0 : noSuchName), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(hasAddress ? 1 : 0, 6);
    server.send(Buffer.concat([header, question.subarray(12, end), ...(hasAddress ? [answer] : [])]), port, address);
  });
  await new Promise<void>(resolve => server.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${server.address().port}`];
});
afterEach(() => new Promise<void>(resolve => server.close(() => resolve())));

/** RFC 1035, section 4.1.2. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

test('a name is resolved by the name servers', async () => {
  const system = vi.fn();
  expect(await createNameResolver({ servers, lookup: system })('known.test')).toEqual(['192.0.2.1']);
  expect(system).not.toHaveBeenCalled();
});

test('control 86: names whose servers never answer hold up neither other names nor the resolver of the system', async () => {
  const resolve = createNameResolver({ servers, timeoutMs: 1_000 });
  let isSettled = false;
  const silent = Array.from({ length: 20 }, (_, index) => resolve(`silent${index}.test`));
  const all = Promise.allSettled(silent).then(results => {
    isSettled = true;
    return results;
  });
  expect(await resolve('known.test')).toEqual(['192.0.2.1']);
  expect(await lookup('localhost')).toMatchObject({ family: expect.any(Number) });
  expect(isSettled).toBe(false);
  for (const result of await all) expect(result).toMatchObject({ reason: { code: 'ETIMEOUT' } });
});

test('a name that the name servers do not know goes to the resolver of the system, one at a time', async () => {
  const answers: ((addresses: string[]) => void)[] = [];
  const system = vi.fn(() => new Promise<string[]>(resolve => answers.push(resolve)));
  const resolve = createNameResolver({ servers, lookup: system });
  const [one, other] = [resolve('one.test'), resolve('other.test')];
  await vi.waitFor(() => expect(asked).toContain('other.test'));
  await vi.waitFor(() => expect(system).toHaveBeenCalledOnce());
  answers[0]?.(['10.0.0.1']);
  await vi.waitFor(() => expect(system).toHaveBeenCalledTimes(2));
  answers[1]?.(['10.0.0.2']);
  expect((await Promise.all([one, other])).flat().sort()).toEqual(['10.0.0.1', '10.0.0.2']);
});

test('at most twenty names wait for the resolver of the system', async () => {
  const answers: ((addresses: string[]) => void)[] = [];
  const system = () => new Promise<string[]>(resolve => answers.push(resolve));
  const resolve = createNameResolver({ servers, lookup: system });
  const settled = vi.fn();
  const all = Array.from({ length: 21 }, (_, index) => resolve(`name${index}.test`).catch(settled));
  await vi.waitFor(() => expect(settled).toHaveBeenCalledOnce());
  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringContaining('too many') }));
  for (let done = 0; done < 20; done++) {
    await vi.waitFor(() => expect(answers).toHaveLength(done + 1));
    answers[done]?.([]);
  }
  await Promise.all(all);
});

test('localhost is not asked for at a name server', async () => {
  const system = vi.fn(async () => ['127.0.0.1']);
  expect(await createNameResolver({ servers, lookup: system })('localhost')).toEqual(['127.0.0.1']);
  expect(asked).toEqual([]);
});
