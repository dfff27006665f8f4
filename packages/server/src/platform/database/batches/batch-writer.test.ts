import { expect, test } from 'vitest';
import { createLog } from '../../observability/log.ts';
import { DatabaseAway } from '../database.ts';
import { createBatchWriter } from './batch-writer.ts';

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
