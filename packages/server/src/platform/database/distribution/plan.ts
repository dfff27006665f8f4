import { thisRelease } from '../migration/releases.ts';
import { placements } from './placement.ts';
import { rowTriggers } from './row-triggers.ts';

/** Statements that belong together. */
export interface DistributionStep {
  readonly reason: string;
  readonly statements: readonly string[];
}

/** How the schema becomes distributed by project on Citus. */
export interface DistributionPlan {
  readonly release: string;
  readonly tables: readonly PlacedTable[];
  /** The steps in the order in which they have to run. */
  readonly steps: readonly DistributionStep[];
}

export interface PlacedTable {
  readonly table: string;
  readonly placement: 'distributed' | 'local';
  /** The distribution column. */
  readonly column?: string;
  /** Why a local table is not distributed. */
  readonly reason?: string;
}

/** Foreign keys that Citus does not accept. */
const droppedForeignKeys = [
  { table: 'users', constraint: 'users_selected_team' },
  { table: 'project_members', constraint: 'project_members_account' },
];

/** Triggers that do not work on shards. */
const droppedTriggers = [
  { table: 'audit_events', trigger: 'audit_events_append_only' },
  { table: 'oauth_accounts', trigger: 'oauth_accounts_counted_in' },
  { table: 'oauth_accounts', trigger: 'oauth_accounts_counted_out' },
  { table: 'sessions', trigger: 'sessions_ended' },
  { table: 'users', trigger: 'users_counted_in' },
  { table: 'users', trigger: 'users_counted_out' },
  { table: 'users', trigger: 'users_methods_counted' },
];

/** The plan for the schema of this release. It needs no database. */
export function planDistribution(): DistributionPlan {
  return {
    release: thisRelease.version,
    tables: [...placements].map(([table, { kind, ...rest }]) => ({ table, placement: kind, ...rest })),
    steps: [
      {
        reason: 'Fails without Citus. Triggers on shards must be allowed in the configuration of every node as well.',
        statements: ['select citus_version()', 'set citus.enable_unsafe_triggers = on'],
      },
      {
        reason:
          'Citus accepts no SET NULL in a foreign key with the distribution column, and no foreign key between two projects.',
        statements: droppedForeignKeys.map(
          ({ table, constraint }) => `alter table ${table} drop constraint ${constraint}`,
        ),
      },
      {
        reason:
          'On a shard a trigger cannot write the rows of a whole statement, and does not see settings of the session.',
        statements: droppedTriggers.map(({ table, trigger }) => `drop trigger ${trigger} on ${table}`),
      },
      {
        reason: 'Referenced tables come first. All tables are colocated: the rows of a project lie on one node.',
        statements: [...placements].flatMap(([table, placement]) =>
          placement.kind === 'distributed' ? [distribute(table, placement.column)] : [],
        ),
      },
      { reason: 'Triggers that write rows of the same project, one at a time.', statements: rowTriggers },
    ],
  };
}

function distribute(table: string, column: string): string {
  const colocated = table === 'projects' ? 'none' : 'projects';
  return `select create_distributed_table('${table}', '${column}', colocate_with => '${colocated}')`;
}

/** The plan as a script for psql. */
export function formatDistribution({ release, steps }: DistributionPlan): string {
  const header = [
    `Distribution of the Tessera schema by project, for Citus. Schema of release ${release}.`,
    'This script was never run on Citus. Read docs/operations/sharding.md first: parts of the server do not work on',
    'distributed tables. Use a new database without projects, after "tessera migrate":',
    '  psql --set ON_ERROR_STOP=1 --file SCRIPT',
  ];
  const parts = steps.map(({ reason, statements }) => [`-- ${reason}`, ...statements.map(one => `${one};`)].join('\n'));
  return [header.map(line => `-- ${line}`).join('\n'), ...parts].join('\n\n');
}
