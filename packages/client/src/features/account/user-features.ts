import type { Context } from '../../app/context.ts';
import { userApiKeys } from '../api-keys/api-keys.ts';
import { contactChannels } from './contact-channels.ts';
import { notifications } from './notifications.ts';
import { permissions } from './permissions.ts';
import { activeSessions } from './safety/active-sessions.ts';
import type { Subject, UserLevel } from './subject.ts';

/** What a user has at both levels, apart from what differs in kind. */
export function userFeatures(ctx: Context<UserLevel>, sessions = activeSessions(ctx)) {
  const channels = contactChannels(ctx);
  const preferences = notifications(ctx);
  const rights = permissions(ctx);
  const keys = userApiKeys(ctx);

  return (subject: Subject) => {
    const parts = { channels: channels(subject), rights: rights(subject), keys: keys(subject) };
    return {
      reads: {
        ...parts.channels.reads,
        ...preferences(subject).reads,
        ...parts.rights.reads,
        ...parts.keys.reads,
      },
      methods: {
        ...parts.channels.methods,
        ...parts.rights.methods,
        ...parts.keys.methods,
        ...sessions(subject),
      },
    };
  };
}
