import type { Context } from '../../app/context.ts';
import type { Project } from '../projects/project.ts';

/** Where a sign-in leads. */
export interface Leaving {
  readonly page: 'afterSignIn' | 'afterSignUp';
  /** The URL that the sign-in began with. Default: the page. */
  readonly returnUrl?: string | null | undefined;
  readonly replace?: boolean | undefined;
  readonly noRedirectBack?: boolean | undefined;
  /** Whether deleted accounts can be kept. Default: what the app knows of the project, without a request. */
  readonly hasCoolingOff?: boolean | undefined;
}

/**
 * Goes to the page for those who have signed in. A user whose account is going to be deleted sees that first, and can
 * keep it.
 */
export async function leaveSignIn(ctx: Context<'client'>, { page, returnUrl, ...leaving }: Leaving): Promise<void> {
  const { navigation } = ctx;
  const { replace = false, noRedirectBack = false, hasCoolingOff = knowsCoolingOff(ctx) } = leaving;
  if (page === 'afterSignIn' && hasCoolingOff) {
    const { goToDeletionNotice } = await import('./deletion-notice.ts');
    if (await goToDeletionNotice(ctx, returnUrl)) return;
  }
  if (returnUrl) await navigation.to(returnUrl, { replace });
  else await navigation.toPage(page, { replace, noRedirectBack });
}

/** The sign-in page has read the project; a page that has not does without the notice. */
function knowsCoolingOff({ resources }: Context<'client'>): boolean {
  const project = resources.peek('project');
  return project?.status === 'ok' && (project.data as Project).deletionCoolingOffDays !== undefined;
}
