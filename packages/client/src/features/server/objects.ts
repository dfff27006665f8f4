import type { AccessLevel } from '@tessera/protocol';
import type { Context } from '../../app/context.ts';
import { errorOf } from '../../errors/known-result.ts';
import { entity } from '../../objects/entity.ts';
import { clientView } from '../account/client-view.ts';
import { connectedAccounts } from '../account/connected-accounts.ts';
import { permissionGrants } from '../account/permissions.ts';
import { activeSessions } from '../account/safety/active-sessions.ts';
import type { Subject, UserLevel } from '../account/subject.ts';
import { type ServerUserJson, serverUserFields } from '../account/user.ts';
import { userFeatures } from '../account/user-features.ts';
import { type ServerUserUpdateOptions, serverUpdateToWire, serverUserUpdate } from '../account/user-update.ts';
import { createUserSessions } from './sessions.ts';
import { createUserSuspensions } from './suspension.ts';
import { type ServerTeams, serverTeams } from './teams.ts';
import type { ServerUser } from './user.ts';
import { type Users, users } from './users.ts';

/** JSON becomes a user, or the parts of one, for objects that have more. */
export interface ToUser {
  (json: ServerUserJson): ServerUser;
  parts(json: ServerUserJson): ReturnType<ReturnType<typeof userParts>>;
}

/** What the objects of a server are made of, and what it may do. */
export interface ServerObjects {
  readonly toUser: ToUser;
  readonly users: Users;
  readonly teams: ServerTeams;
  readonly sessionsOf: ReturnType<typeof activeSessions>;
  /** Call after the user changed; without an id, after any users changed. */
  refreshUser(userId?: string): Promise<void>;
  selectTeam(userId: string, teamId: string): Promise<void>;
}

/** What the teams of a server take from its users. */
export interface ForTeams extends Pick<ServerObjects, 'toUser' | 'selectTeam'> {
  /** Call after the selected team of the user changed; without an id, after that of any users changed. */
  refreshShown(userId?: string): Promise<void>;
}

/** @param level of the app; level server does not list impersonations */
export function serverObjects(ctx: Context<'server'>, level: AccessLevel = 'server'): ServerObjects {
  const { call, config, resources, sessions } = ctx;
  const { renew } = resources;

  async function refreshUser(userId?: string): Promise<void> {
    const lists = [renew('contactChannels', ...keysOf(userId)), renew('memberProfiles', null)];
    await Promise.all([refreshShown(userId), ...lists]);
  }

  /** The reads that show users with their selected team, without the members of a team: it may be deleted. */
  async function refreshShown(userId?: string): Promise<void> {
    const shown = [renew('userById', ...keysOf(userId)), renew('userOfKey'), renew('users')];
    await Promise.all([...shown, refreshCurrentUser()]);
  }

  /** The signed-in user may be that user: watched entries fetch again. */
  async function refreshCurrentUser(): Promise<void> {
    const { tokenStore } = config;
    if (tokenStore === 'cookie' || tokenStore === 'memory') await renew('user', await sessions.of());
  }

  async function selectTeam(userId: string, teamId: string): Promise<void> {
    await call('PATCH /users/{user_id}', {
      params: { user_id: userId },
      body: { selected_team_id: teamId },
      session: null,
    });
    await refreshUser(userId);
  }

  const parts = (json: ServerUserJson) => toParts(json);
  const toUser: ToUser = Object.assign(
    (json: ServerUserJson): ServerUser => {
      const { fields, reads, methods } = parts(json);
      return entity(fields, reads, methods);
    },
    { parts },
  );

  const teams = serverTeams(ctx, { toUser, selectTeam, refreshShown });
  const sessionsOf = activeSessions(ctx.at<AccessLevel>(level));
  const toParts = userParts(ctx, { teams, refreshUser, sessionsOf });
  return { toUser, users: users(ctx, { toUser }), teams, sessionsOf, refreshUser, selectTeam };
}

/** The first keys of the cached answers about one user, or about all users. */
function keysOf(userId: string | undefined): (string | null)[] {
  return userId === undefined ? [null] : [null, userId];
}

type OfUser = Pick<ServerObjects, 'teams' | 'sessionsOf' | 'refreshUser'>;

function userParts(ctx: Context<'server'>, { teams, sessionsOf, refreshUser }: OfUser) {
  const { call } = ctx;
  const features = userFeatures(ctx.at<UserLevel>('server'), sessionsOf);
  const accounts = connectedAccounts(ctx.at<UserLevel>('server'));
  const grants = permissionGrants(ctx);
  const opened = createUserSessions(ctx);
  const suspended = createUserSuspensions(ctx);

  return (json: ServerUserJson) => {
    const subject: Subject = { session: null, userId: json.id };
    const params = { user_id: json.id };
    const [shared, ofTeams] = [features(subject), teams.of(subject)];

    async function send(changes: ServerUserUpdateOptions): Promise<void> {
      await call('PATCH /users/{user_id}', { params, body: serverUpdateToWire(changes), session: null });
      await refreshUser(json.id);
    }

    async function remove(): Promise<void> {
      await call('DELETE /users/{user_id}', { params, session: null });
      await refreshUser(json.id);
    }

    return {
      fields: { ...serverUserFields(json), selectedTeam: json.selected_team && teams.toTeam(json.selected_team) },
      reads: { ...shared.reads, ...ofTeams.reads, ...accounts(subject, json.oauth_providers).reads },
      methods: {
        ...shared.methods,
        ...ofTeams.methods,
        ...grants(subject),
        ...opened(subject),
        ...suspended(subject),
        ...serverUserUpdate({ send, remove }),
        setPassword: ({ password }: { password: string }) =>
          errorOf(send({ password }), ['PASSWORD_REQUIREMENTS_NOT_MET']),
        async updatePassword(): Promise<never> {
          throw new Error('Only a signed-in user can confirm an old password. Use setPassword in a server app.');
        },
        async sendVerificationEmail(): Promise<never> {
          await call('POST /check-feature-support', { body: { feature: 'sendVerificationEmail' }, session: null });
          throw new Error('A server app cannot call this method. Use sendVerificationEmail of a contact channel.');
        },
        toClientJson: () => clientView(json),
      },
    };
  };
}
