import { type AccessLevel, codeLength, fail, isKnown, notificationEndpoints } from '@tessera/protocol';
import type { Deps } from '../../../deps.ts';
import { type BoundRoute, bind, type Call, ResponseOverride } from '../../../http/bind.ts';
import { Refusal, refuse, unreachable } from '../../../http/refusal.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import { type CallUser, selectUser } from '../../accounts/users/index.ts';
import { type CheckedCode, type PresentedCode, redeemCode } from '../../verification-codes/index.ts';
import { projectName } from '../templates/names.ts';
import { askingPage, badLinkPage, doneBeforePage, donePage, type EndedMail, unsubscribeHeaders } from './pages.ts';
import { findCategory, preferencesOf } from './rules.ts';
import { saveChoice, selectChoices, selectLink } from './store.ts';
import { preferenceView } from './wire.ts';

export function notificationRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(notificationEndpoints.listPreferences, async call => {
      const userId = ownTarget(call);
      if (userId !== call.user?.id && (await selectUser(deps.db, call.project.id, userId)) === null)
        fail('USER_NOT_FOUND');
      const preferences = preferencesOf(await selectChoices(deps.db, call.project.id, userId));
      return { items: preferences.map(preferenceView), is_paginated: false } as const;
    }),

    bind(notificationEndpoints.updatePreference, async call => {
      if (call.level === 'client' && call.user === null) fail('USER_AUTHENTICATION_REQUIRED');
      const category = findCategory(call.params.category_id) ?? refuse(404, 'There is no such category.');
      const userId = ownTarget(call);
      const isEnabled = call.body.enabled;
      const choice = { projectId: call.project.id, userId, categoryId: category.id, isEnabled };
      if (!(await saveChoice(deps.db, choice))) fail('USER_NOT_FOUND');
      return preferenceView({ category, isEnabled });
    }),

    bind(notificationEndpoints.unsubscribe, call => {
      // A request without access type comes from a browser or a mail scanner. With one, GET unsubscribes (contract).
      if (call.level === null) return answerPerson(() => showLink(call.query.code));
      return unsubscribe(call);
    }),

    bind(notificationEndpoints.unsubscribeByPost, call => answerPerson(() => unsubscribe(call))),
  ];

  /** Finds the link without using it. */
  async function showLink(given: string | undefined): Promise<ResponseOverride> {
    const link = await findLink(wholeCode(given));
    if (link.isUsed) return shown(doneBeforePage(link.mail));
    if (link.expiresAtMillis <= deps.clock.now()) fail('VERIFICATION_CODE_EXPIRED');
    return shown(askingPage(link.mail));
  }

  async function unsubscribe({ query, request, level, source }: UnsubscribeCall): Promise<ResponseOverride> {
    const code = wholeCode(query.code);
    const { projectId, mail } = await findLink(code);
    // Hono routes HEAD like GET; mail scanners send HEAD (control 18).
    if (request.method === 'HEAD') return shown(donePage(mail));
    const redeemed = await redeemLink({ projectId, code, by: { level, source } });
    if (redeemed === undefined) return shown(doneBeforePage(mail));
    const { categoryId } = redeemed.data;
    await saveChoice(deps.db, { projectId, userId: redeemed.userId ?? '', categoryId, isEnabled: false });
    return shown(donePage(mail));
  }

  async function findLink(code: string): Promise<FoundLink> {
    const link = (await selectLink(deps.db, sha256(code))) ?? fail('VERIFICATION_CODE_NOT_FOUND');
    const categoryName = findCategory(link.categoryId)?.name ?? unreachable('a link of an unknown category');
    return { ...link, mail: { projectName: projectName(link.projectName), categoryName } };
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

interface FoundLink {
  readonly projectId: string;
  readonly isUsed: boolean;
  readonly expiresAtMillis: number;
  readonly mail: EndedMail;
}

function shown(page: string, status = 200): ResponseOverride {
  return new ResponseOverride(page, { status, headers: unsubscribeHeaders });
}

function wholeCode(code: string | undefined): string {
  if (code?.length === codeLength) return code.toLowerCase();
  return refuse(400, 'This link is not complete. Open it exactly as it is in the mail.');
}

/** Converts a refusal into a page, because a person reads it. */
async function answerPerson(work: () => Promise<ResponseOverride>): Promise<ResponseOverride> {
  try {
    return await work();
  } catch (error) {
    if (isKnown(error, 'VERIFICATION_CODE_NOT_FOUND')) return shown(badLinkPage('There is no such link.'), 404);
    if (isKnown(error, 'VERIFICATION_CODE_EXPIRED')) return shown(badLinkPage('This link has expired.'), 400);
    if (error instanceof Refusal) return shown(badLinkPage(error.message), error.status);
    throw error;
  }
}

function ownTarget(call: { level: AccessLevel; user: CallUser | null; params: { user_id: string } }): string {
  const { level, user } = call;
  if (level === 'client' && user === null) fail('USER_AUTHENTICATION_REQUIRED');
  const userId = call.params.user_id === 'me' ? user?.id : call.params.user_id.toLowerCase();
  if (userId === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only see and change their own preferences.');
  return userId;
}
