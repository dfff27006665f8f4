import { type Input, type Json, userAdministrationEndpoints } from '@tessera/protocol';
import type { AuditedCall } from '../../../core/audit-event.ts';
import type { HttpRequest } from '../../../core/http-request.ts';
import type { Project } from '../../../core/project.ts';
import { type Queryable, type Transaction, transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import {
  assertRecentSignIn,
  type CreateUser,
  holdCallerSession,
  selectUser,
  type UserChangeDeps,
  type UserCreation,
  updateUser,
} from '../../accounts/users/index.ts';
import { auditedBy, recordAudit } from '../../audit/index.ts';
import { assertKeyUsable } from '../../projects/index.ts';
import { givesAccess, planImportedUser, reasonOf, refuseConflict, updateOf } from './rules.ts';
import { lockAddress, selectAddressOwners } from './store.ts';

type ImportBody = Input<typeof userAdministrationEndpoints.import>['body'];
type Row = Readonly<Record<string, Json>>;

/** The outcome of a row. */
interface ImportedRow {
  readonly status: 'created' | 'updated' | 'skipped' | 'failed';
  readonly user_id: string | null;
  readonly reason: string | null;
}

interface ImportCall extends AuditedCall {
  readonly project: Project;
  readonly sessionId: string | undefined;
  readonly ownerSessionId: string | undefined;
  readonly request: HttpRequest;
  readonly body: ImportBody;
}

interface ImportSteps {
  readonly createUser: CreateUser;
  readonly deps: UserChangeDeps;
}

/** A valid row with the user that it becomes, or why it is invalid. */
type PlannedRow = { readonly row: Row; readonly planned: UserCreation } | { readonly failed: ImportedRow };

/**
 * Imports the rows one by one, each in its own transaction: a row that fails leaves the others untouched, and a batch that
 * is interrupted can be sent again, because its first rows then meet their own users. Rows fail when the access of the caller
 * has ended since the batch began.
 *
 * @throws REAUTHENTICATION_REQUIRED for a batch that gives access to accounts or projects
 */
export async function importUsers(call: ImportCall, steps: ImportSteps): Promise<ImportedRow[]> {
  if (call.body.is_dry_run) return dryRun(call, steps);
  if (givesAccess(call.body, call.project)) await assertRecentSignIn(call, steps.deps);
  const rows = call.body.users.map(row => planRow(row, call, steps));
  const owners = await selectAddressOwners(steps.deps.db, call.project.id, rows.flatMap(addressesOf));
  const results: ImportedRow[] = [];
  for (const row of rows) {
    results.push('failed' in row ? row.failed : await importRow(row, owners, call, steps).catch(describeFailure));
  }
  await recordImport(results, call, steps.deps);
  return results;
}

/** One event for the batch, with the number of rows of each outcome. A dry run has none: it changes nothing. */
async function recordImport(
  results: readonly ImportedRow[],
  call: ImportCall,
  { db, clock }: UserChangeDeps,
): Promise<void> {
  const { method, path } = userAdministrationEndpoints.import;
  const countOf = (status: ImportedRow['status']) => results.filter(result => result.status === status).length;
  const counts = { created: countOf('created'), updated: countOf('updated') };
  const details = { route: `${method} ${path}`, ...counts, skipped: countOf('skipped'), failed: countOf('failed') };
  const event = { action: 'admin.request', userId: null, details, atMillis: clock.now() } as const;
  await transaction(db, tx => recordAudit(tx, { ...auditedBy(call), ...event }));
}

function planRow(row: Row, { project }: ImportCall, { deps }: ImportSteps): PlannedRow {
  try {
    return { row, planned: planImportedUser(row, { project, nowMillis: deps.clock.now() }) };
  } catch (error) {
    return { failed: describeFailure(error) };
  }
}

function addressesOf(row: PlannedRow): string[] {
  return 'failed' in row || row.planned.primaryEmail === null ? [] : [row.planned.primaryEmail.value];
}

/** @param owners of the addresses, as the batch began: a row of a repeated batch that is skipped opens no transaction */
async function importRow(
  { row, planned }: { readonly row: Row; readonly planned: UserCreation },
  owners: ReadonlyMap<string, string>,
  call: ImportCall,
  steps: ImportSteps,
): Promise<ImportedRow> {
  const { db, projects } = steps.deps;
  await assertKeyUsable(call, projects);
  const known = planned.primaryEmail === null ? undefined : owners.get(planned.primaryEmail.value);
  const made = known === undefined ? await createRow(planned, call, steps) : { takenBy: known };
  if (!('takenBy' in made)) return made;
  return resolveConflict(row, { planned, userId: made.takenBy }, call, { db, deps: steps.deps });
}

/** The owner of the address is read under a lock: another import may have created the user since the batch began. */
function createRow(
  planned: UserCreation,
  call: ImportCall,
  steps: ImportSteps,
): Promise<ImportedRow | { readonly takenBy: string }> {
  const { project } = call;
  return transaction(steps.deps.db, async tx => {
    if (planned.primaryEmail !== null) await lockAddress(tx, project.id, planned.primaryEmail.value);
    const takenBy = await ownerOfAddress(tx, project.id, planned);
    if (takenBy !== undefined) return { takenBy };
    const user = await steps.createUser(tx, project, planned);
    await holdCallerSession(tx, call, steps.deps);
    const event = { action: 'user.created', userId: user.id, atMillis: planned.nowMillis } as const;
    await recordAudit(tx, { ...auditedBy(call), ...event, details: { source: 'import' } });
    return { status: 'created', user_id: user.id, reason: null };
  });
}

async function resolveConflict(
  row: Row,
  { planned, userId }: { planned: UserCreation; userId: string },
  call: ImportCall,
  { db, deps }: { db: Queryable; deps: UserChangeDeps },
): Promise<ImportedRow> {
  const { on_conflict: policy, is_dry_run: isDryRun } = call.body;
  if (policy === 'fail') refuseConflict(planned.primaryEmail?.value ?? '');
  const user = policy === 'update' ? await selectUser(db, call.project.id, userId) : null;
  if (user === null) return { status: 'skipped', user_id: userId, reason: 'The address belongs to a user already.' };
  const patch = updateOf(row, planned, user);
  if (Object.keys(patch).length > 0 && !isDryRun) await updateUser(patch, { user, call }, deps);
  return { status: 'updated', user_id: userId, reason: null };
}

/** Ends the transaction of a dry run. */
class DryRunDone extends Error {
  constructor(readonly results: ImportedRow[]) {
    super('the dry run is done');
  }
}

/** Runs the import in one transaction, so that the report is exact, and rolls it back. */
async function dryRun(call: ImportCall, steps: ImportSteps): Promise<ImportedRow[]> {
  try {
    return await transaction(steps.deps.db, async tx => {
      const results: ImportedRow[] = [];
      for (const row of call.body.users) results.push(await tryRow(tx, row, call, steps));
      throw new DryRunDone(results);
    });
  } catch (error) {
    if (error instanceof DryRunDone) return error.results;
    throw error;
  }
}

async function tryRow(
  tx: Transaction,
  row: Row,
  call: ImportCall,
  { createUser, deps }: ImportSteps,
): Promise<ImportedRow> {
  await tx.query(sql`savepoint imported_row`);
  try {
    const planned = planImportedUser(row, { project: call.project, nowMillis: deps.clock.now() });
    const taken = await ownerOfAddress(tx, call.project.id, planned);
    if (taken !== undefined) return await resolveConflict(row, { planned, userId: taken }, call, { db: tx, deps });
    await createUser(tx, call.project, planned);
    return { status: 'created', user_id: null, reason: null };
  } catch (error) {
    const result = describeFailure(error);
    await tx.query(sql`rollback to savepoint imported_row`);
    return result;
  }
}

async function ownerOfAddress(
  db: Queryable,
  projectId: string,
  { primaryEmail, oauthAccounts }: UserCreation,
): Promise<string | undefined> {
  if (primaryEmail === null) return undefined;
  const { value: address } = primaryEmail;
  return (await selectAddressOwners(db, projectId, [address], oauthAccounts)).get(address);
}

function describeFailure(error: unknown): ImportedRow {
  return { status: 'failed', user_id: null, reason: reasonOf(error) };
}
