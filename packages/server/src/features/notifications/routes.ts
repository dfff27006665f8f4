import { type AccessLevel, codeLength, fail, isKnown, notificationEndpoints } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { sha256 } from '../../platform/secrets.ts';
import { type CheckedCode, type PresentedCode, redeemCode } from '../codes/index.ts';
import { type CallUser, selectUser } from '../users/index.ts';
import { unsubscribePage } from './pages.ts';
import { findCategory, preferencesOf } from './rules.ts';
import { saveChoice, selectChoices, selectProjectOfLink } from './store.ts';
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

    bind(notificationEndpoints.unsubscribe, async ({ query, request, level, source }) => {
      const code = query.code?.toLowerCase();
      if (code?.length !== codeLength)
        refuse(400, 'This link is not complete. Please open it as it stands in the mail.');
      // Scanners of mail ask so; nobody has opened the page (control 18).
      if (request.method === 'HEAD') return unsubscribePage(done);
      const projectId = (await selectProjectOfLink(deps.db, sha256(code))) ?? fail('VERIFICATION_CODE_NOT_FOUND');
      const redeemed = await redeemLink({ projectId, code, by: { level, source } });
      if (redeemed === undefined) return unsubscribePage(alreadyDone);
      const { categoryId } = redeemed.data;
      await saveChoice(deps.db, { projectId, userId: redeemed.userId ?? '', categoryId, isEnabled: false });
      return unsubscribePage(done);
    }),
  ];

  /** Undefined when the link has been used before. */
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

const done = { title: 'Unsubscribed', text: 'You will not receive mail of this kind any more.' };
const alreadyDone = { title: 'Already unsubscribed', text: 'This link has been used before. Nothing has changed.' };

function ownTarget(call: { level: AccessLevel; user: CallUser | null; params: { user_id: string } }): string {
  const { level, user } = call;
  if (level === 'client' && user === null) fail('USER_AUTHENTICATION_REQUIRED');
  const userId = call.params.user_id === 'me' ? user?.id : call.params.user_id.toLowerCase();
  if (userId === undefined) fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  if (level === 'client' && user?.id !== userId) refuse(403, 'Clients can only see and change their own preferences.');
  return userId;
}
