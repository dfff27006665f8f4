export { createResponseAudit } from './answered.ts';
export { selectSecurityEvents } from './own-activity.ts';
export { recordAudit } from './record.ts';
export { createRefusalAudit, describeRefusal, originOf, recordLimit } from './refused.ts';
export { auditedBy, auditedByOwner, changedFields } from './rules.ts';
export { auditInsert } from './store.ts';
export { type AuditWriter, createAuditWriter } from './writer.ts';
