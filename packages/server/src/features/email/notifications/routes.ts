import { type AccessLevel, codeLength, fail, isKnown, notificationEndpoints } from '@tessera/protocol';
import type { Call } from '../../../core/call.ts';
import type { CallUser } from '../../../core/user.ts';
import { type BoundRoute, bind, ResponseOverride } from '../../../http/bind.ts';
import { Refusal, refuse, unreachable } from '../../../http/refusal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { clientWriteUses, type RateLimits } from '../../../platform/rate-limits/index.ts';
import { selectUser } from '../../accounts/users/index.ts';
import { type CheckedCode, type PresentedCode, redeemCode } from '../../verification-codes/index.ts';
import { projectName } from '../templates/names.ts';
import {
  askingPage,
  badLinkPage,
  doneBeforePage,
  donePage,
  type EndedMail,
  subscribedPage,
  unsubscribeHeaders,
} from './pages.ts';
import { findCategory, isWanted, preferencesOf } from './rules.ts';
import { saveChoice, selectChoices, selectLink, type UnsubscribeLink } from './store.ts';
import { preferenceView } from './wire.ts';

interface NotificationRoutesDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly rateLimits: RateLimits;
}

export function notificationRoutes(deps: NotificationRoutesDeps): BoundRoute[] {
  return [...preferenceRoutes(deps), ...unsubscribeRoutes(deps)];
}

function preferenceRoutes(deps: NotificationRoutesDeps): BoundRoute[] {
  return [
    bind(notificationEndpoints.listPreferences, async call => {
      const userId = ownTarget(call);
      if (userId !== call.user?.id && (await selectUser(deps.db, call.project.id, userId)) === null)
        fail('USER_NOT_FOUND');
      const preferences = preferencesOf(await selectChoices(deps.db, call.project.id, userId));
      return { items: preferences.map(preferenceView), is_paginated: false } as const;
    }),

    bind(notificationEndpoints.updatePreference, async call => {
      const category = findCategory(call.params.category_id) ?? refuse(404, 'There is no such category.');
      const userId = ownTarget(call);
      await deps.rateLimits.spend(clientWriteUses(call));
      const isEnabled = call.body.enabled;
      const choice = { projectId: call.project.id, userId, categoryId: category.id, isEnabled };
      if (!(await saveChoice(deps.db, choice))) fail('USER_NOT_FOUND');
      return preferenceView({ category, isEnabled });
    }),
  ];
}

function unsubscribeRoutes(deps: NotificationRoutesDeps): BoundRoute[] {
  return [
    bind(notificationEndpoints.unsubscribe, call => {
      // A request without access type comes from a browser or a mail scanner. With one, GET unsubscribes (contract).
      if (call.level === null) return answerPerson(() => showLink(call.query.code));
      return unsubscribe(call);
    }),

    bind(notificationEndpoints.unsubscribeByPost, call => answerPerson(() => changeByButton(call))),
  ];

  /** Finds the link without using it. */
  async function showLink(given: string | undefined): Promise<ResponseOverride> {
    const link = await findLink(wholeCode(given));
    if (link.isUsed) return respondWithPage(usedPage(link));
    if (link.mail.code === undefined) fail('VERIFICATION_CODE_EXPIRED');
    return respondWithPage(askingPage(link.mail));
  }

  /** A button of a page, or the one-click request of a mail program. Both change the choice again when the link is used. */
  async function changeByButton(call: UnsubscribeCall & { query: { action?: string | undefined } }) {
    const { action } = call.query;
    const link = await findLink(wholeCode(call.query.code));
    if (!link.isUsed) return action === 'resubscribe' ? showLink(call.query.code) : unsubscribe(call);
    if (link.mail.code === undefined) fail('VERIFICATION_CODE_EXPIRED');
    if (action === undefined && !link.isSubscribed) return respondWithPage(doneBeforePage(link.mail));
    const { projectId, userId, categoryId } = link;
    await saveChoice(deps.db, { projectId, userId, categoryId, isEnabled: action === 'resubscribe' });
    return respondWithPage(action === 'resubscribe' ? subscribedPage(link.mail) : donePage(link.mail));
  }

  async function unsubscribe({ query, request, level, source }: UnsubscribeCall): Promise<ResponseOverride> {
    const code = wholeCode(query.code);
    const link = await findLink(code);
    const { projectId, mail } = link;
    // Hono routes HEAD like GET; mail scanners send HEAD (control 18).
    if (request.method === 'HEAD') return respondWithPage(donePage(mail));
    const redeemed = await redeemLink({ projectId, code, by: { level, source } });
    if (redeemed === undefined) return respondWithPage(doneBeforePage(mail));
    const { categoryId } = redeemed.data;
    await saveChoice(deps.db, { projectId, userId: redeemed.userId ?? '', categoryId, isEnabled: false });
    return respondWithPage(donePage(mail));
  }

  async function findLink(code: string): Promise<FoundLink> {
    const link = (await selectLink(deps.db, sha256(code))) ?? fail('VERIFICATION_CODE_NOT_FOUND');
    const category = findCategory(link.categoryId) ?? unreachable('a link of an unknown category');
    const isValid = link.expiresAtMillis > deps.clock.now();
    const mail = {
      projectName: projectName(link.projectName),
      categoryName: category.name,
      code: isValid ? code : undefined,
    };
    return { ...link, isSubscribed: isWanted(category, link.isWanted), mail };
  }

  /** Undefined when the link was used before. */
  async function redeemLink(
    presented: Omit<PresentedCode<'unsubscribe'>, 'kind'>,
  ): Promise<CheckedCode<'unsubscribe'> | undefined> {
    try {
      return await redeemCode({ ...presented, kind: 'unsubscribe' }, deps);
    } catch (error) {
      if (isKnown(error, 'VERIFICATION_CODE_ALREADY_USED')) return undefined;
      throw error;
    }
  }
}

type UnsubscribeCall = Pick<Call<typeof notificationEndpoints.unsubscribe>, 'query' | 'request' | 'level' | 'source'>;

interface FoundLink extends UnsubscribeLink {
  readonly isSubscribed: boolean;
  readonly mail: EndedMail;
}

function usedPage({ isSubscribed, mail }: FoundLink): string {
  return isSubscribed ? subscribedPage(mail) : doneBeforePage(mail);
}

function respondWithPage(page: string, status = 200): ResponseOverride {
  return new ResponseOverride(page, { status, headers: unsubscribeHeaders });
}

function wholeCode(code: string | undefined): string {
  if (code?.length === codeLength) return code.toLowerCase();
  return refuse(400, 'This link is not complete.');
}

/** Converts a refusal into a page, because a person reads it. */
async function answerPerson(work: () => Promise<ResponseOverride>): Promise<ResponseOverride> {
  try {
    return await work();
  } catch (error) {
    if (isKnown(error, 'VERIFICATION_CODE_NOT_FOUND'))
      return respondWithPage(badLinkPage('There is no such link.'), 404);
    if (isKnown(error, 'VERIFICATION_CODE_EXPIRED')) return respondWithPage(badLinkPage('This link has expired.'), 400);
    if (error instanceof Refusal) return respondWithPage(badLinkPage(error.message), error.status);
    throw error;
  }
}

function ownTarget({
  level,
  user,
  targetUserId,
}: {
  level: AccessLevel;
  user: CallUser | null;
  targetUserId: string;
}): string {
  if (level !== 'client') return targetUserId;
  if (user === null) fail('USER_AUTHENTICATION_REQUIRED');
  if (user.id !== targetUserId) refuse(403, 'Clients can only see and change their own preferences.');
  return targetUserId;
}
