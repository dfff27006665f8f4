import { openCodesPerAddress } from '@tessera/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { createCode } from './verification-codes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

type Kind = 'email_verification' | 'mfa_attempt';

async function make(address: string | null, options: { projectId?: string; kind?: Kind } = {}): Promise<string> {
  const { projectId = 'internal', kind = 'email_verification' } = options;
  const request = { projectId, kind, userId: null, address, data: { isNewUser: false } };
  const made = await transaction(server.deps.db, tx => createCode(tx, request, server.deps));
  server.clock.advance(1);
  return made.code;
}

async function isOpen(code: string): Promise<boolean> {
  const rows = await server.deps.db.query(sql`select id from one_time_codes where code_hash = ${sha256(code)}`);
  return rows.length === 1;
}

function makeMany(
  count: number,
  address: string,
  options: { projectId?: string; kind?: Kind } = {},
): Promise<string[]> {
  return Array.from({ length: count }).reduce<Promise<string[]>>(
    async codes => [...(await codes), await make(address, options)],
    Promise.resolve([]),
  );
}

describe('control 19: the open codes of one kind and address', () => {
  test('are the newest ten', async () => {
    const codes = await makeMany(openCodesPerAddress + 2, 'ten@example.com');
    const open = await Promise.all(codes.map(isOpen));
    expect(open).toEqual([false, false, ...Array(openCodesPerAddress).fill(true)]);
  });

  test('do not include used codes, which stay used', async () => {
    const [first = '', second = ''] = await makeMany(2, 'used@example.com');
    await server.deps.db.query(sql`update one_time_codes set used_at_millis = 1 where code_hash = ${sha256(first)}`);
    await makeMany(openCodesPerAddress - 1, 'used@example.com');
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, true]);
  });

  test('are counted separately for each kind, address and project', async () => {
    const project = await server.make.project();
    const others = [
      await make('other@example.com'),
      await make('many@example.com', { kind: 'mfa_attempt' }),
      await make('many@example.com', { projectId: project.id }),
      await make(null),
    ];
    await makeMany(openCodesPerAddress + 1, 'many@example.com');
    expect(await Promise.all(others.map(isOpen))).toEqual([true, true, true, true]);
  });

  test('always include the newest code', async () => {
    const stopped = { clock: { now: () => 1_800_000_000_000 } };
    const request = { projectId: 'internal', kind: 'email_verification', userId: null, address: 'same@example.com' };
    for (let count = 0; count < 3 * openCodesPerAddress; count++) {
      const { code } = await transaction(server.deps.db, tx =>
        createCode(tx, { ...request, kind: 'email_verification', data: {} }, stopped),
      );
      expect([count, await isOpen(code)]).toEqual([count, true]);
    }
  });
});
