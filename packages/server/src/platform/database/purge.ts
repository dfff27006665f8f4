import { purgeBatchRows } from '@tessera/protocol';
import type { Clock } from '../clock.ts';
import type { Log } from '../observability/log.ts';
import { addJob } from '../queue/add-job.ts';
import { cronQueue } from '../queue/task-list.ts';
import type { Task } from '../queue/work.ts';
import { type Database, onlyRow, transaction } from './database.ts';
import { type Statement, sql } from './sql.ts';

/** A rule for rows that are no longer needed. */
export interface PurgeRule {
  /** The name in the log. */
  readonly name: string;
  readonly table: Statement;
  /** Selects the positions (`ctid`) of rows, through an index. */
  readonly places: (nowMillis: number) => Statement;
  /** A statement that the transaction must run before it may delete. */
  readonly before?: Statement;
}

/**
 * For `PurgeRule.places`: the rows of all projects whose time is before this one. Each project is searched by itself, because
 * the index of the table begins with the project.
 */
export function selectOldRows(table: Statement, timeColumn: Statement, beforeMillis: number): Statement {
  return sql`
    select old.ctid from projects p cross join lateral (
      select t.ctid from ${table} t where t.project_id = p.id and t.${timeColumn} < ${beforeMillis}
    ) old
  `;
}

export const purgeTask = 'purge';

/** Limit per rule and run, so that other jobs run in between and a stopping process does not wait. */
const maxBatches = 50;

/**
 * Deletes in small batches, each in its own transaction, so that no other statement waits long (control 104). A run that
 * reaches the limit of a rule adds a job that continues: however many rows expire, they are deleted. A rule that fails does
 * not keep the others from running; the job fails after all of them.
 *
 * @param task the name of the job that runs the rules
 */
export function purge(
  rules: readonly PurgeRule[],
  deps: { db: Database; clock: Clock; log: Log },
  task = purgeTask,
): Task {
  return async () => {
    let isDone = true;
    const failures: unknown[] = [];
    for (const rule of rules) {
      try {
        const count = await purgeOne(rule, deps);
        if (count > 0) deps.log.info({ rule: rule.name, count }, 'expired rows were deleted');
        if (count >= maxBatches * purgeBatchRows) isDone = false;
      } catch (error) {
        deps.log.warn({ error, rule: rule.name }, 'expired rows could not be deleted');
        failures.push(error);
      }
    }
    // At most one continuation waits.
    const alone = { queueName: cronQueue(task), key: `${task}_catch_up` };
    if (!isDone) await transaction(deps.db, tx => addJob(tx, task, {}, alone));
    if (failures.length > 0) throw failures[0];
  };
}

async function purgeOne(rule: PurgeRule, { db, clock }: { db: Database; clock: Clock }): Promise<number> {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = await transaction(db.longRunning, async tx => {
      if (rule.before !== undefined) await tx.query(rule.before);
      return onlyRow(await tx.query<{ count: number }>(createDelete(rule, clock.now()))).count;
    });
    deleted += count;
    if (count < purgeBatchRows) break;
  }
  return deleted;
}

function createDelete({ table, places }: PurgeRule, nowMillis: number): Statement {
  return sql`
    with gone as (
      delete from ${table} where ctid = any(array(${places(nowMillis)} limit ${purgeBatchRows})) returning 1
    )
    select count(*) as count from gone
  `;
}
