import type { Context } from '../../../app/context.ts';
import { type Read, readOf } from '../../../cache/resource.ts';

/** What only hooks of React read. */
export interface WebhookHookReads {
  /** A token for managing webhooks through the Svix-compatible routes, good for a day. */
  getSvixToken(): Promise<string>;
}

export function svixToken({ call, resources }: Context<'admin'>): { hookReads: { getSvixToken: Read<[], string> } } {
  const tokens = resources.make(null, () => ({
    load: async () => (await call('POST /webhooks/svix-token', { body: {}, session: null })).token,
  }));
  return { hookReads: { getSvixToken: readOf(() => tokens.entry()) } };
}
