import type { Context } from '../../app/context.ts';
import type { Session } from '../../session/session.ts';

/** The lists of owned projects by session. An app with `projectOwnerSession` has a cache of its own without the list. */
const lists = new WeakMap<Session, () => Promise<void>>();

/** Registers the list of a session, for the apps of its projects. */
export function registerProjectList(owner: Session, renew: () => Promise<void>): void {
  lists.set(owner, renew);
}

/** Call after the project of an admin app changed. */
export async function renewProject(ctx: Pick<Context, 'config' | 'resources'>): Promise<void> {
  await Promise.all([ctx.resources.renew('project'), renewProjectList(ctx)]);
}

/** Call after an owner's list of projects changed. */
export async function renewProjectList({ config }: Pick<Context, 'config'>): Promise<void> {
  if (config.projectOwnerSession) await lists.get(config.projectOwnerSession)?.();
}
