import type { Context } from '../../../app/context.ts';
import { entity } from '../../../objects/entity.ts';
import { ownedProjects } from '../../projects/owned-projects.ts';
import { endSession } from '../../sign-in/sign-out.ts';
import { teams } from '../../teams/teams.ts';
import { connectedAccounts } from '../connected-accounts.ts';
import { primaryEmail } from '../primary-email.ts';
import { accountSafety } from '../safety/account-safety.ts';
import { passkeyRegistration } from '../safety/passkey-registration.ts';
import { passwordChange } from '../safety/password-change.ts';
import type { Subject, UserLevel } from '../subject.ts';
import { type UserJson, userFields } from '../user.ts';
import { userFeatures } from '../user-features.ts';
import { type UserUpdateOptions, updateToWire, userUpdate } from '../user-update.ts';
import type { BuildUser, CurrentUser } from './current-user.ts';
import type { CurrentUsers } from './get-user.ts';
import { userSession } from './user-session.ts';

/** What the objects of signed-in users are made of, in an app without a server key. */
export function currentUserObjects(
  ctx: Context<'client'>,
  update: CurrentUsers<CurrentUser, UserJson>['update'],
): BuildUser<CurrentUser, UserJson> {
  const features = userFeatures(ctx.at<UserLevel>('client'));
  const accounts = connectedAccounts(ctx.at<UserLevel>('client'));
  const userTeams = teams(ctx);
  const projects = ctx.config.projectId === 'internal' ? ownedProjects(ctx) : undefined;

  return (json, session) => {
    const subject: Subject = { session, userId: 'me' };
    const own = userSession(session, options => endSession(ctx, session, options));
    const changes = {
      send: (changes: UserUpdateOptions) =>
        update(session, () => ctx.call('PATCH /users/me', { body: updateToWire(changes), session })),
      async remove() {
        await ctx.call('DELETE /users/me', { session });
        session.markInvalid();
      },
    };
    const [shared, ofTeams] = [features(subject), userTeams.of(subject)];
    const owned = projects?.(session);
    const selectedTeam = json.selected_team && userTeams.toTeam(json.selected_team, subject);

    return entity(
      { ...userFields(json), ...own.fields, selectedTeam },
      { ...shared.reads, ...ofTeams.reads, ...accounts(subject, json.oauth_providers).reads, ...owned?.reads },
      {
        ...shared.methods,
        ...ofTeams.methods,
        ...own.methods,
        ...userUpdate(changes),
        ...passwordChange(ctx, session),
        ...primaryEmail(ctx, session, json.primary_email),
        ...passkeyRegistration(ctx, session),
        ...accountSafety(ctx, session),
        ...owned?.methods,
        toClientJson: () => json,
      },
    );
  };
}
