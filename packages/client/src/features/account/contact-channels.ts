import type { Reply, Routes } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { type Reads, readOf } from '../../cache/resource.ts';
import { errorOf } from '../../errors/known-result.ts';
import { callbackUrl as callbackUrlFor } from '../../navigation/callback-url.ts';
import { entity } from '../../objects/entity.ts';
import type { Subject, UserLevel } from './subject.ts';

/** Fields of a contact channel. */
interface ContactChannelFields {
  /** Id of the channel. */
  readonly id: string;
  /** The email address. */
  readonly value: string;
  /** The only type. */
  readonly type: 'email';
  /** Whether it is the user's `primaryEmail`. */
  readonly isPrimary: boolean;
  /** Whether the user has verified it. */
  readonly isVerified: boolean;
  /** Whether it can be used to sign in. */
  readonly usedForAuth: boolean;
}

/** Changes of a contact channel; members that are left out keep their value. */
export interface ContactChannelUpdateOptions {
  /** A new address, which must be verified again. */
  readonly value?: string | undefined;
  /** Whether it can be used to sign in. */
  readonly usedForAuth?: boolean | undefined;
  /** Makes it the user's `primaryEmail`. */
  readonly isPrimary?: boolean | undefined;
}

/** Changes of a contact channel by a server. */
export interface ServerContactChannelUpdateOptions extends ContactChannelUpdateOptions {
  /** Whether it counts as verified. */
  readonly isVerified?: boolean | undefined;
}

interface ContactChannelMethods<Changes> {
  /**
   * Sends an email with a verification link.
   *
   * @throws on a server when the address is verified. For a signed-in user this does nothing, and no email is sent.
   */
  sendVerificationEmail(options?: {
    /** Target of the link. Default: `urls.emailVerification`; required on a server. */
    callbackUrl?: string | undefined;
  }): Promise<void>;
  /** @throws when it is changed to a sign-in address and another user signs in with it. */
  update(changes: Changes): Promise<void>;
  /** Removes the address. */
  delete(): Promise<void>;
}

/** A contact channel of the signed-in user. A snapshot. */
export interface ContactChannel extends ContactChannelFields, ContactChannelMethods<ContactChannelUpdateOptions> {}

/** A contact channel of a user with server access. A snapshot. */
export interface ServerContactChannel
  extends ContactChannelFields,
    ContactChannelMethods<ServerContactChannelUpdateOptions> {}

/** A new contact channel. */
export interface ContactChannelCreateOptions {
  /** The email address. */
  readonly value: string;
  /** The only type. */
  readonly type: 'email';
  /** Whether it can be used to sign in. */
  readonly usedForAuth: boolean;
  /** Makes it the user's `primaryEmail`. Default false. */
  readonly isPrimary?: boolean | undefined;
}

/** A new contact channel that a server adds. */
export interface ServerContactChannelCreateOptions extends ContactChannelCreateOptions {
  /** Whether it counts as verified. Default false. */
  readonly isVerified?: boolean | undefined;
}

/** Reads of a user's contact channels. */
export interface ContactChannelReads {
  /** The user's contact channels, oldest first. */
  listContactChannels(): Promise<ContactChannel[]>;
}

/** Reads of a user's contact channels with server access. */
export interface ServerContactChannelReads {
  /** The user's contact channels, oldest first. */
  listContactChannels(): Promise<ServerContactChannel[]>;
}

/** Creation of contact channels. */
export interface ContactChannelCreation {
  /** @throws when it is a sign-in address and another user signs in with it. */
  createContactChannel(options: ContactChannelCreateOptions): Promise<ContactChannel>;
}

/** Creation of contact channels with server access. */
export interface ServerContactChannelCreation {
  /** @throws when it is a sign-in address and another user signs in with it. */
  createContactChannel(options: ServerContactChannelCreateOptions): Promise<ServerContactChannel>;
}

/** The contact channels of one user. */
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
    // The link of a verification email opens in another tab, or on another device.
    maxAgeOnReturnMs: 1000,
  }));

  async function refreshReads({ session, userId }: Subject): Promise<void> {
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
          await refreshReads(subject);
        },
        async delete() {
          await call(`DELETE ${route}`, { params, session });
          await refreshReads(subject);
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
          await refreshReads(subject);
          return toChannel(created, subject);
        },
      },
    };
  };
}

function channelFields(wire: ChannelJson): ContactChannelFields {
  return {
    id: wire.id,
    value: wire.value,
    type: wire.type,
    isPrimary: wire.is_primary,
    isVerified: wire.is_verified,
    usedForAuth: wire.used_for_auth,
  };
}

function changesToWire(changes: ServerContactChannelUpdateOptions) {
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
