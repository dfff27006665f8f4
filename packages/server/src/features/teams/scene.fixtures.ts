import type { AccessLevel, Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { type Outcome, outcome } from '@tessera/testing/outcome';
import * as z from 'zod';
import type { ProjectConfig } from '../../core/project-config.ts';
import { sql } from '../../platform/database/sql.ts';
import type { TestServer } from '../../test/harness.ts';
import type { ReceivedEmail } from '../../test/mailbox.ts';
import { addWebhookEndpoint } from '../../test/webhook-endpoint.ts';

export interface Person {
  readonly id: string;
  readonly accessToken: string;
}

export interface TeamFilled {
  readonly id: string;
  readonly creator: Person;
  /** Joined with the default permissions of a member. */
  readonly member: Person;
  /** A member without any permission. */
  readonly powerless: Person;
}

const withId = z.object({ id: z.string() });
const withAccessToken = z.object({ access_token: z.string() });

/** A project with users and teams for tests. It creates and calls, and asserts nothing. */
export async function openScene(server: TestServer, config: Partial<ProjectConfig> = {}) {
  const project = await server.make.project({ clientTeamCreationEnabled: true, ...config });
  await addWebhookEndpoint(server.deps.db, project.id);
  return sceneOf(server, project);
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

function sceneOf(server: TestServer, project: ProjectAccess) {
  const { db } = server.deps;

  async function call(route: Route, options: CallOptions = {}): Promise<Outcome> {
    return outcome(await server.call(route, { project, ...options }));
  }

  async function made(route: Route, options: CallOptions): Promise<string> {
    const answer = await server.call(route, { project, level: 'server', ...options });
    return withId.parse(answer.json).id;
  }

  async function person(fields: object = {}): Promise<Person> {
    const id = await made('POST /users', { body: fields });
    const session = await server.call('POST /auth/sessions', { project, level: 'server', body: { user_id: id } });
    return { id, accessToken: withAccessToken.parse(session.json).access_token };
  }

  function team(creator?: Person, fields: object = {}): Promise<string> {
    const body = { display_name: 'Engines', ...fields, ...(creator && { creator_user_id: creator.id }) };
    return made('POST /teams', { body });
  }

  async function join(teamId: string, { id }: Person): Promise<void> {
    const params = { team_id: teamId, user_id: id };
    await server.call('POST /team-memberships/{team_id}/{user_id}', { project, level: 'server', params, body: {} });
  }

  /** Replaces all permissions of the member, defaults included. */
  async function may(teamId: string, { id }: Person, permissionIds: readonly string[]): Promise<void> {
    await db.query(sql`
      delete from team_permissions where project_id = ${project.id} and team_id = ${teamId} and user_id = ${id}
    `);
    await db.query(sql`
      insert into team_permissions (project_id, team_id, user_id, permission_id)
      select ${project.id}, ${teamId}, ${id}, unnest(${[...permissionIds]}::text[])
    `);
  }

  async function filledTeam(): Promise<TeamFilled> {
    const [creator, member, powerless] = [await person(), await person(), await person()];
    const id = await team(creator);
    for (const one of [member, powerless]) await join(id, one);
    await may(id, powerless, []);
    return { id, creator, member, powerless };
  }

  /** The webhook events since the previous call, oldest first. */
  async function publishedEvents(): Promise<{ type: string; data: unknown }[]> {
    const events = await db.query<{ type: string; data: unknown }>(
      sql`select type, data from webhook_events where project_id = ${project.id} order by ctid`,
    );
    await db.query(sql`delete from webhook_events where project_id = ${project.id}`);
    return events;
  }

  let read = server.received.length;

  /** The emails that arrived since the previous call, oldest first. */
  async function receivedEmails(): Promise<ReceivedEmail[]> {
    const all = await server.mailbox();
    const fresh = all.slice(0, all.length - read).toReversed();
    read = all.length;
    return fresh;
  }

  return { project, call, person, team, join, may, filledTeam, publishedEvents, receivedEmails };
}

export const asServer = { level: 'server' } as const satisfies { level: AccessLevel };

/** The options of a client call with the access token of a person, or without one. */
export function as(person: Person | null): CallOptions {
  return person === null ? {} : { accessToken: person.accessToken };
}
