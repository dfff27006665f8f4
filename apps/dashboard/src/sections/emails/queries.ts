import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

/** The key of everything about the emails of a project. */
export const emailsKey = (project: OwnedProject) => ['project', project.id, 'emails'] as const;

/** An attempt to send an email. */
export type SentEmail = Awaited<ReturnType<OwnedProject['app']['listSentEmails']>>[number];

/** The newest attempts to send an email. */
export function sentEmailsQuery(project: OwnedProject) {
  return queryOptions({ queryKey: [...emailsKey(project), 'log'], queryFn: () => project.app.listSentEmails() });
}
