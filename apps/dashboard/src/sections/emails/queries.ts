import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EmailTemplateType, MessageAudience } from '@tessera/client';
import type { OwnedProject } from '../../data/owner.tsx';
import type { EmailLogSearch } from './search.ts';

/** The key of everything about the emails of a project. */
export const emailsKey = (project: OwnedProject) => ['project', project.id, 'emails'] as const;

/** An attempt to send an email. */
export type SentEmail = Awaited<ReturnType<OwnedProject['app']['listEmailLog']>>[number];

/** An attempt with what can be done about the email. */
export type LogEntry = Awaited<ReturnType<OwnedProject['app']['getLoggedEmail']>>;

/** Pages of the log, newest first. */
export function emailLogQuery(project: OwnedProject, { state, user, message, to }: EmailLogSearch) {
  return infiniteQueryOptions({
    queryKey: [...emailsKey(project), 'log', { state, user, message, to }],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      project.app.listEmailLog({
        ...(state && { state }),
        ...(user && { userId: user }),
        ...(message && { messageId: message }),
        ...(to && { recipient: to }),
        ...(pageParam && { cursor: pageParam }),
      }),
    getNextPageParam: page => page.nextCursor ?? undefined,
  });
}

/** One attempt; read again while another one follows. */
export function loggedEmailQuery(project: OwnedProject, id: string) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'one', id],
    queryFn: () => project.app.getLoggedEmail(id),
    refetchInterval: query => (query.state.data?.resending === 'waiting' ? waitingPollMs : false),
  });
}

/** An email that waits for an attempt. */
export type WaitingEmail = Awaited<ReturnType<OwnedProject['app']['listWaitingEmails']>>[number];

/** Pages of the waiting emails, newest first; read again, because each leaves the list soon. */
export function waitingEmailsQuery(project: OwnedProject) {
  return infiniteQueryOptions({
    queryKey: [...emailsKey(project), 'waiting'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => project.app.listWaitingEmails({ cursor }),
    getNextPageParam: page => page.nextCursor ?? undefined,
    refetchInterval: waitingPollMs,
  });
}

const waitingPollMs = 5_000;
const newestOfUser = 10;

/** The newest emails to a user. */
export function emailsOfUserQuery(project: OwnedProject, userId: string) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'of-user', userId],
    queryFn: () => project.app.listEmailLog({ userId, limit: newestOfUser }),
  });
}

/** All templates of the project. */
export function templatesQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'templates'],
    queryFn: () => project.app.listEmailTemplates(),
  });
}

export type Template = Awaited<ReturnType<OwnedProject['app']['listEmailTemplates']>>[number];

export type TemplateType = EmailTemplateType;

const pollMs = 2_000;

/** Whether copies of a message still wait: its numbers change, and it can be canceled. */
export function isBeingSent(message: Message): boolean {
  return message.state === 'sending' || message.waiting > 0;
}

/** The newest messages to users; read again while one of them is sent. */
export function messagesQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'messages'],
    queryFn: () => project.app.listMessages(),
    refetchInterval: query => (query.state.data?.some(isBeingSent) ? pollMs : false),
  });
}

export type Message = Awaited<ReturnType<OwnedProject['app']['getMessage']>>;

/** One message; read again while it is sent. */
export function messageQuery(project: OwnedProject, id: string) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'message', id],
    queryFn: () => project.app.getMessage(id),
    refetchInterval: query => (query.state.data && isBeingSent(query.state.data) ? pollMs : false),
  });
}

/** How many users a message would reach. */
export function audienceQuery(project: OwnedProject, audience: MessageAudience | undefined, category: string) {
  return queryOptions({
    queryKey: [...emailsKey(project), 'audience', audience, category],
    queryFn: () =>
      audience === undefined
        ? null
        : project.app.countMessageAudience(audience, { notificationCategoryName: category }),
    staleTime: 0,
  });
}
