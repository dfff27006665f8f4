import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';
import { dayMs } from './policies/duration.ts';
import type { Policy } from './policies/policies.ts';

const securityKey = (project: OwnedProject) => ['project', project.id, 'security'] as const;

/** The most entries of the log that the summary of failed sign-ins reads. */
export const mostFailures = 1_000;

/** A group of settings. */
export function policyQuery<Fields extends object>(project: OwnedProject, { name, read }: Policy<Fields>) {
  return queryOptions({ queryKey: [...securityKey(project), name], queryFn: () => read(project.app) });
}

/** The failed sign-ins of the last 24 hours. */
export function failuresQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...securityKey(project), 'failures'],
    queryFn: () =>
      project.app.listAuditEvents({
        action: 'sign_in.failed',
        from: new Date(Date.now() - dayMs),
        limit: mostFailures,
      }),
  });
}

/** What rate limits refused in the last 24 hours. */
export function blockedQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...securityKey(project), 'blocked'],
    queryFn: () =>
      project.app.listAuditEvents({
        action: 'limit.reached',
        from: new Date(Date.now() - dayMs),
        limit: mostFailures,
      }),
  });
}

/** The last rotation of the signing keys, as far as the audit log goes back; null when there is none. */
export function lastRotationQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...securityKey(project), 'rotation'],
    queryFn: async () => (await project.app.listAuditEvents({ action: 'signing_keys.rotated', limit: 1 }))[0] ?? null,
  });
}
