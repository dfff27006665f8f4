import { createTestDatabase, type TestDatabase } from '@tessera/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Database,
  DatabaseAway,
  onlyRow,
  openDatabase,
  type Transaction,
  transaction,
  violatedConstraint,
} from './database.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase({ isEmpty: true });
  db = openDatabase({ connection: database.connection, poolSize: 4 });
  await db.query(sql`create table things (id integer primary key, name text not null)`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query(sql`delete from things`);
  await db.query(sql`insert into things (id, name) values (1, 'one'), (2, 'two')`);
});

function names(of: Database | Transaction = db): Promise<{ name: string }[]> {
  return of.query<{ name: string }>(sql`select name from things order by id`);
}

/** A promise and its resolve function: the test sets the order of events. */
function gate(): { passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>(resolve => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe('a query', () => {
  test('returns counts, sums and times as numbers', async () => {
    const rows = await db.query(sql`
      select count(*) as count, sum(id) as sum, 1768478400000::bigint as "atMillis", 0.5::numeric as half from things
    `);
    expect(rows).toEqual([{ count: 2, sum: 3, atMillis: 1_768_478_400_000, half: 0.5 }]);
  });

  test('waits for the write to the disk, unless it uses asynchronous commit', async () => {
    const shown = sql`select current_setting('synchronous_commit') as value`;
    expect([await db.query(shown), await db.asyncCommit.query(shown)]).toEqual([[{ value: 'on' }], [{ value: 'off' }]]);
  });

  test('that exceeds the time limit is cancelled, and the failure counts as a busy database', async () => {
    const query = db.query(sql`do $$ begin raise sqlstate '57014'; end $$`);
    await expect(query).rejects.toBeInstanceOf(DatabaseAway);
  });

  test('is repeated when PostgreSQL reports a conflict', async () => {
    await db.query(sql`create sequence tries`);
    await db.query(sql`do $$ begin if nextval('tries') < 3 then raise sqlstate '40P01'; end if; end $$`);
    expect(await db.query(sql`select last_value from tries`)).toEqual([{ last_value: 3 }]);
    await expect(db.query(sql`do $$ begin raise sqlstate '40P01'; end $$`)).rejects.toMatchObject({ code: '40P01' });
  });

  test('control 84: has a time limit on the server', async () => {
    const shown = sql`select current_setting('statement_timeout') as value`;
    expect(await db.query(shown)).toEqual([{ value: '5s' }]);
  });

  test('that violates a constraint reports its name; other errors report none', async () => {
    const twice = await db.query(sql`insert into things (id, name) values (1, 'again')`).catch(violatedConstraint);
    const empty = await db.query(sql`insert into things (id) values (3)`).catch(violatedConstraint);
    expect([twice, empty, violatedConstraint(new Error('other'))]).toEqual(['things_pkey', undefined, undefined]);
  });
});

describe('onlyRow', () => {
  test('returns the only row', () => {
    expect(onlyRow([{ id: 1 }])).toEqual({ id: 1 });
  });

  test.each([[[]], [[{ id: 1 }, { id: 2 }]]])('throws for %j', rows => {
    expect(() => onlyRow(rows)).toThrow('one row expected');
  });
});

describe('a transaction', () => {
  test('commits all of its writes', async () => {
    const answer = await transaction(db, async tx => {
      await tx.query(sql`update things set name = 'uno' where id = 1`);
      await tx.query(sql`update things set name = 'due' where id = 2`);
      return 'done';
    });
    expect([answer, await names()]).toEqual(['done', [{ name: 'uno' }, { name: 'due' }]]);
  });

  test('writes nothing when its work fails, and passes the error on', async () => {
    const work = transaction(db, async tx => {
      await tx.query(sql`update things set name = 'uno' where id = 1`);
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(await names()).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  test('joins a transaction that is passed as the database', async () => {
    const inner = transaction(db, async outer => {
      await outer.query(sql`update things set name = 'uno' where id = 1`);
      const seen = await transaction(outer, tx => names(tx));
      expect(seen).toEqual([{ name: 'uno' }, { name: 'two' }]);
      throw new Error('refused');
    });
    await expect(inner).rejects.toThrow('refused');
    expect(await names()).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  test('is repeated when PostgreSQL reports a conflict', async () => {
    let attempts = 0;
    await transaction(db, async tx => {
      attempts++;
      await tx.query(sql`update things set name = name || '!' where id = 1`);
      if (attempts < 3) await tx.query(sql`do $$ begin raise sqlstate '40001'; end $$`);
    });
    expect([attempts, await names()]).toEqual([3, [{ name: 'one!' }, { name: 'two' }]]);
  });

  test('is repeated a limited number of times', async () => {
    let attempts = 0;
    const work = transaction(db, async tx => {
      attempts++;
      await tx.query(sql`do $$ begin raise sqlstate '40P01'; end $$`);
    });
    await expect(work).rejects.toMatchObject({ code: '40P01' });
    expect(attempts).toBe(6);
  });

  test('is not repeated after other errors', async () => {
    let attempts = 0;
    const work = transaction(db, async tx => {
      attempts++;
      await tx.query(sql`insert into things (id, name) values (1, 'again')`);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });

  test('that deadlocks with another one is repeated, and both commit', async () => {
    const [hasFirst, hasSecond] = [gate(), gate()];
    const crossed = (first: number, second: number, mine: { open(): void }, other: { passed: Promise<void> }) =>
      transaction(db, async tx => {
        await tx.query(sql`set local deadlock_timeout = '10ms'`);
        await tx.query(sql`update things set name = name || '!' where id = ${first}`);
        mine.open();
        await other.passed;
        await tx.query(sql`update things set name = name || '!' where id = ${second}`);
      });
    await Promise.all([crossed(1, 2, hasFirst, hasSecond), crossed(2, 1, hasSecond, hasFirst)]);
    expect(await names()).toEqual([{ name: 'one!!' }, { name: 'two!!' }]);
  });

  test('whose work ignores a database error fails at the commit', async () => {
    const effects: string[] = [];
    const work = transaction(db, async tx => {
      tx.afterCommit(() => effects.push('told'));
      await tx.query(sql`update things set name = 'uno' where id = 1`);
      await tx.query(sql`insert into things (id, name) values (1, 'again')`).catch(() => undefined);
    });
    await expect(work).rejects.toThrow();
    expect([effects, await names()]).toEqual([[], [{ name: 'one' }, { name: 'two' }]]);
  });

  test('returns its connection after success and after failure', async () => {
    const small = openDatabase({ connection: database.connection, poolSize: 1 });
    await transaction(small, names);
    await transaction(small, async () => Promise.reject(new Error('refused'))).catch(() => undefined);
    await transaction(small, tx => tx.query(sql`select 1 / 0`)).catch(() => undefined);
    expect(await small.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await small.close();
  });
});

describe('effects after the commit', () => {
  test('run in their order, once other connections see the writes', async () => {
    const seen: Promise<{ name: string }[]>[] = [];
    const order: string[] = [];
    await transaction(db, async outer => {
      outer.afterCommit(() => order.push('outer'));
      await transaction(outer, async inner => {
        inner.afterCommit(() => order.push('inner'));
        inner.afterCommit(() => seen.push(names()));
        await inner.query(sql`update things set name = 'uno' where id = 1`);
      });
      expect(order).toEqual([]);
    });
    expect([order, await Promise.all(seen)]).toEqual([['outer', 'inner'], [[{ name: 'uno' }, { name: 'two' }]]]);
  });

  test('do not run after a rollback', async () => {
    const effects: string[] = [];
    const work = transaction(db, async tx => {
      tx.afterCommit(() => effects.push('told'));
      throw new Error('refused');
    });
    await expect(work).rejects.toThrow('refused');
    expect(effects).toEqual([]);
  });

  test('run once when the transaction is repeated', async () => {
    const effects: number[] = [];
    let attempts = 0;
    await transaction(db, async tx => {
      const attempt = ++attempts;
      tx.afterCommit(() => effects.push(attempt));
      if (attempt === 1) await tx.query(sql`do $$ begin raise sqlstate '40001'; end $$`);
    });
    expect(effects).toEqual([2]);
  });
});

describe('control 102: while the database is unavailable', () => {
  test.each([
    ['a closed port', { host: '127.0.0.1', port: 1 }],
    ['a socket that is not there', { host: '/nonexistent' }],
    ['a host that does not exist', { host: 'nowhere.invalid' }],
  ])('%s: a query and a transaction say that it is away', async (_, connection) => {
    const away = openDatabase({ connection: { ...connection, user: 'tessera', database: 'tessera' }, poolSize: 1 });
    await expect(away.query(sql`select 1`)).rejects.toThrow(DatabaseAway);
    await expect(transaction(away, names)).rejects.toThrow(DatabaseAway);
    await away.close();
  });

  test('a connection that breaks inside a transaction fails only that transaction', async () => {
    const work = transaction(db, async tx => {
      const { pid } = onlyRow(await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`));
      await tx.query(sql`update things set name = 'uno' where id = 1`);
      await killed(pid);
      await tx.query(sql`update things set name = 'due' where id = 2`);
    });
    await expect(work).rejects.toThrow(DatabaseAway);
    expect(await names()).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  test('a connection that breaks while idle is replaced', async () => {
    const lost: string[] = [];
    const noticed = gate();
    const onAway = (error: Error) => {
      lost.push(error.message);
      noticed.open();
    };
    const small = openDatabase({ connection: database.connection, poolSize: 1, onAway });
    const [{ pid } = { pid: 0 }] = await small.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await killed(pid);
    await noticed.passed;
    expect(await small.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    expect(lost).toEqual(['terminating connection due to administrator command']);
    await small.close();
  });

  test('a thousand statements wait for a connection, and the next one is refused at once', async () => {
    const small = openDatabase({ connection: database.connection, poolSize: 1, timings: { requestMs: 30_000 } });
    const busy = gate();
    const holder = transaction(small, () => busy.passed);
    const waiting = Array.from({ length: 1_000 }, () => small.query(sql`select 1`));
    await expect(small.query(sql`select 1`)).rejects.toThrow(DatabaseAway);
    busy.open();
    await holder;
    expect(await Promise.all(waiting)).toHaveLength(1_000);
    await small.close();
  });
});

/** Terminates a connection on the server, as an administrator or a restart does, and waits until it is closed. */
async function killed(pid: number): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query('select pg_terminate_backend($1, 5000)', [pid]);
  await client.end();
}
