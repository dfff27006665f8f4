import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../observability/log.ts';
import { DatabaseAway } from '../database.ts';
import { createBatchWriter } from './batch-writer.ts';

afterEach(() => void vi.useRealTimers());

test('a batch that cannot be written during an outage logs no warning, and is written later', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: line => void lines.push(line) } });
  const written: string[] = [];
  let isAway = true;
  const writer = createBatchWriter<string>({
    name: 'activity',
    log,
    write: async items => {
      if (isAway) throw new DatabaseAway('the database is away');
      written.push(...items);
    },
  });
  writer.record('one');
  await writer.flush();
  isAway = false;
  await writer.flush();
  expect([lines, written]).toEqual([[], ['one']]);
  await writer.close();
});

test('a batch that cannot be written is tried again without another record, less and less often', async () => {
  vi.useFakeTimers();
  const log = createLog({ level: 'info', destination: { write: () => undefined } });
  const write = vi.fn().mockRejectedValue(new DatabaseAway('away'));
  const writer = createBatchWriter<string>({ name: 'activity', log, write });
  writer.record('one');
  const attempts: number[] = [];
  for (const forMs of [100, 200, 400, 800, 799]) {
    await vi.advanceTimersByTimeAsync(forMs);
    attempts.push(write.mock.calls.length);
  }
  expect(attempts).toEqual([1, 2, 3, 4, 4]);
  write.mockResolvedValue(undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(5);
  writer.record('two');
  await vi.advanceTimersByTimeAsync(100);
  expect(write).toHaveBeenLastCalledWith(['two']);
  await writer.close();
});

test('of rows with the same key the last one is written, also after a failure', async () => {
  const log = createLog({ level: 'info', destination: { write: () => undefined } });
  const write = vi.fn().mockRejectedValueOnce(new DatabaseAway('away')).mockResolvedValue(undefined);
  const keyOf = (item: string) => item.charAt(0);
  const writer = createBatchWriter<string>({ name: 'activity', log, write, keyOf });
  writer.record('a1');
  writer.record('b1');
  await writer.flush();
  writer.record('a2');
  await writer.flush();
  expect(write).toHaveBeenLastCalledWith(['a2', 'b1']);
  await writer.close();
});
