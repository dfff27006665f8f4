import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { errorOf } from '../../errors/known-result.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from './subject.ts';

/** What is known of an address. */
interface ContactChannelFields {
  /** Id of the channel. */
  readonly id: string;
  /** The address. */
  readonly value: string;
  /** The only kind there is. */
  readonly type: 'email';
  /** Whether it is the user's `primaryEmail`. */
  readonly isPrimary: boolean;
  /** Whether its owner has proved that it is theirs. */
  readonly isVerified: boolean;
  /** Whether one can sign in with it. */
  readonly usedForAuth: boolean;
}

/** Changes of an address; members left out stay as they are. */
export interface ContactChannelUpdateOptions {
  /** Another address, which has to be verified again. */
  readonly value?: string;
  /** Whether one can sign in with it. */
  readonly usedForAuth?: boolean;
  /** Makes it the user's `primaryEmail`. */
  readonly isPrimary?: boolean;
}

/** Changes of an address that a server may make. */
export interface ServerContactChannelUpdateOptions extends ContactChannelUpdateOptions {
  /** Whether it counts as proved. */
  readonly isVerified?: boolean;
}

interface ContactChannelMethods<Changes> {
  /**
   * Sends a mail with a link that verifies the address.
   *
   * @throws at a server: when the address is verified already. For a signed-in user that is well, and no mail is sent.
   */
  sendVerificationEmail(options?: {
    /** Where the link leads. Default: `urls.emailVerification`; needed on a server. */
    callbackUrl?: string;
  }): Promise<void>;
  /** @throws when it is to be used for sign-in and another user signs in with it. */
  update(changes: Changes): Promise<void>;
  /** Removes the address. */
  delete(): Promise<void>;
}

/** An address of the signed-in user. A snapshot. */
export interface ContactChannel extends ContactChannelFields, ContactChannelMethods<ContactChannelUpdateOptions> {}

/** An address of a user, as a server sees it. A snapshot. */
export interface ServerContactChannel
  extends ContactChannelFields,
    ContactChannelMethods<ServerContactChannelUpdateOptions> {}

/** A new address. */
export interface ContactChannelCreateOptions {
  /** The address. */
  readonly value: string;
  /** The only kind there is. */
  readonly type: 'email';
  /** Whether one can sign in with it. */
  readonly usedForAuth: boolean;
  /** Makes it the user's `primaryEmail`. Default false. */
  readonly isPrimary?: boolean;
}

/** A new address that a server adds. */
export interface ServerContactChannelCreateOptions extends ContactChannelCreateOptions {
  /** Whether it counts as proved. Default false. */
  readonly isVerified?: boolean;
}

/** Reads of a user about their addresses. */
export interface ContactChannelReads {
  /** The user's addresses, oldest first. */
  listContactChannels(): Promise<readonly ContactChannel[]>;
}

/** Reads of a user about their addresses, at a server. */
export interface ServerContactChannelReads {
  /** The user's addresses, oldest first. */
  listContactChannels(): Promise<readonly ServerContactChannel[]>;
}

/** Adding addresses. */
export interface ContactChannelCreation {
  /** @throws when it is to be used for sign-in and another user signs in with it. */
  createContactChannel(options: ContactChannelCreateOptions): Promise<ContactChannel>;
}

/** Adding addresses, at a server. */
export interface ServerContactChannelCreation {
  /** @throws when it is to be used for sign-in and another user signs in with it. */
  createContactChannel(options: ServerContactChannelCreateOptions): Promise<ServerContactChannel>;
}

/** The addresses of one user. */
interface ContactChannels {
  readonly reads: Reads<ServerContactChannelReads>;
  readonly methods: ServerContactChannelCreation;
}

type ChannelJson = Reply<Routes['GET /contact-channels/{user_id}/{contact_channel_id}'], 'client'>;

/** At client level the members for servers are refused by the server; the public types do not offer them. */
export function contactChannels(ctx: Context<UserLevel>): (subject: Subject) => ContactChannels {
  const { call, resources } = ctx;

  const channels = resources.make('contactChannels', (session: Subject['session'], userId: string) => ({
    load: async () => {
      const { items } = await call('GET /contact-channels', { query: { user_id: userId }, session });
      return items.map(item => toChannel(item, { session, userId }));
    },
  }));

  async function changed({ session, userId }: Subject): Promise<void> {
    const renewals = [
      resources.renew('contactChannels', session, userId),
      resources.renew('userById', session, userId),
    ];
    await Promise.all([...renewals, session && resources.renew('user', session)]);
  }

  function toChannel(wire: ChannelJson, subject: Subject): ServerContactChannel {
    const { session, userId } = subject;
    const params = { user_id: userId, contact_channel_id: wire.id };
    const route = '/contact-channels/{user_id}/{contact_channel_id}';

    async function sendVerificationEmail({ callbackUrl }: { callbackUrl?: string } = {}): Promise<void> {
      const callback_url = callbackUrl ?? callbackUrlFor(ctx, 'emailVerification', 'callbackUrl');
      const sent = call(`POST ${route}/send-verification-code`, { params, body: { callback_url }, session });
      if (session === null) await sent;
      else await errorOf(sent, ['EMAIL_ALREADY_VERIFIED']);
    }

    return entity(
      channelFields(wire),
      {},
      {
        sendVerificationEmail,
        async update(changes: ServerContactChannelUpdateOptions) {
          await call(`PATCH ${route}`, { params, body: changesToWire(changes), session });
          await changed(subject);
        },
        async delete() {
          await call(`DELETE ${route}`, { params, session });
          await changed(subject);
        },
      },
    );
  }

  return subject => {
    const { session, userId } = subject;
    return {
      reads: { listContactChannels: readOf(() => channels.entry(session, userId)) },
      methods: {
        async createContactChannel(options) {
          const body = { user_id: userId, type: options.type, value: options.value, ...flagsToWire(options) };
          const created = await call('POST /contact-channels', { body, session });
          await changed(subject);
          return toChannel(created, subject);
        },
      },
    };
  };
}

export function channelFields(wire: ChannelJson): ContactChannelFields {
  return {
    id: wire.id,
    value: wire.value,
    type: wire.type,
    isPrimary: wire.is_primary,
    isVerified: wire.is_verified,
    usedForAuth: wire.used_for_auth,
  };
}

export function changesToWire(changes: ServerContactChannelUpdateOptions) {
  return {
    value: changes.value,
    used_for_auth: changes.usedForAuth,
    is_primary: changes.isPrimary,
    is_verified: changes.isVerified,
  };
}

function flagsToWire({ usedForAuth, isPrimary, isVerified }: ServerContactChannelCreateOptions) {
  return { used_for_auth: usedForAuth, is_primary: isPrimary, is_verified: isVerified };
}
