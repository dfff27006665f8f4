import type { AuditEvent } from '@tessera/client';
import { type CsvColumn, csvLines, jsonOf } from '../../../files/csv.ts';

/** A format of an exported audit log. */
export interface ExportFormat {
  readonly extension: 'csv' | 'jsonl';
  readonly type: string;
  /** The first line of the file, where the format has one. */
  readonly head: string;
  readonly line: (event: AuditEvent) => string;
}

const columns: readonly CsvColumn<AuditEvent>[] = [
  ['at', event => event.at.toISOString()],
  ['action', event => event.action],
  ['actor_type', event => event.actor.type],
  ['actor_id', event => event.actor.id],
  ['user_id', event => event.userId],
  ['subject_type', event => event.subject?.type ?? null],
  ['subject_id', event => event.subject?.id ?? null],
  ['address', event => event.address],
  ['user_agent', event => event.userAgent],
  ['trace_id', event => event.traceId],
  ['details', event => jsonOf(event.details)],
  ['before', event => jsonOf(event.before)],
  ['after', event => jsonOf(event.after)],
  ['id', event => event.id],
];

/** The formats of an export: one row per event. */
export const exportFormats = {
  csv: {
    extension: 'csv',
    type: 'text/csv',
    ...csvLines(columns),
  },
  lines: {
    extension: 'jsonl',
    type: 'application/jsonl',
    head: '',
    // Without the names of users, which an export does not have.
    line: ({ user: _, actor: { type, id }, ...event }) => `${JSON.stringify({ ...event, actor: { type, id } })}\n`,
  },
} as const satisfies Record<string, ExportFormat>;
