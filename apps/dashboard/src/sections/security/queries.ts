import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { dayMs } from './policies/duration.ts';
import type { Policy } from './policies/policies.ts';

const securityKey = (project: OwnedProject) => ['project', project.id, 'security'] as const;

/** The most entries of the log that a summary reads. */
export const mostRefusals = 1_000;

/** A group of settings. */
export function policyQuery<Fields extends object>(project: OwnedProject, { name, read }: Policy<Fields>) {
  return queryOptions({ queryKey: [...securityKey(project), name], queryFn: () => read(project.app) });
}

/** The failed sign-ins, or what rate limits refused, in the last 24 hours. */
export function refusalsQuery(project: OwnedProject, action: 'sign_in.failed' | 'limit.reached') {
  return queryOptions({
    queryKey: [...securityKey(project), action],
    queryFn: () => project.app.listAuditEvents({ action, from: new Date(Date.now() - dayMs), limit: mostRefusals }),
  });
}

/** The last rotation of the signing keys, as far as the audit log goes back; null when there is none. */
export function lastRotationQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...securityKey(project), 'rotation'],
    queryFn: async () => (await project.app.listAuditEvents({ action: 'signing_keys.rotated', limit: 1 }))[0] ?? null,
  });
}
