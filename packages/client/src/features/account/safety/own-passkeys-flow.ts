import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';
import { signalPasskeys } from '../../sign-in/passkey/passkey-signals.ts';
import type { OwnPasskey, OwnPasskeyMethods } from './own-passkeys.ts';

type PasskeyJson = Reply<Routes['GET /extensions/passkeys'], 'client'>['items'][number];

export function ownPasskeysFlow(ctx: Context<'client'>, session: Session): OwnPasskeyMethods {
  async function read() {
    const listed = await ctx.call('GET /extensions/passkeys', { session });
    const account = { userHandle: listed.user_handle, name: listed.user_name };
    await signalPasskeys(ctx, { ...account, ids: listed.items.map(({ id }) => id) });
    return listed.items;
  }

  return {
    getPasskeys: async () => (await read()).map(passkeyFromWire),
    async renamePasskey(id, name) {
      await ctx.call('PATCH /extensions/passkeys/{passkey_id}', {
        params: { passkey_id: id },
        body: { name },
        session,
      });
    },
    async removePasskey(id) {
      await ctx.call('DELETE /extensions/passkeys/{passkey_id}', { params: { passkey_id: id }, session });
      // The passkey is removed. The list is read for the signal to the browser only, which is advice.
      await Promise.all([read().catch(() => undefined), ctx.resources.renew('user', session)]);
    },
  };
}

function passkeyFromWire(wire: PasskeyJson): OwnPasskey {
  return Object.freeze({
    id: wire.id,
    name: wire.name,
    providerName: wire.provider_name,
    device: wire.device && Object.freeze(wire.device),
    isSynced: wire.is_synced,
    createdAt: new Date(wire.created_at_millis),
    lastUsedAt: wire.last_used_at_millis === null ? null : new Date(wire.last_used_at_millis),
  });
}
