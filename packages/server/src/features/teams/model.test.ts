import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { asServer, openScene, type Person, type Scene } from './scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer();
  scene = await openScene(server);
});
afterAll(() => server.close());

type Action = 'join' | 'leave' | 'select' | 'deselect' | 'rename' | 'deleteTeam' | 'deleteUser';
type Step = { readonly action: Action; readonly person: number; readonly team: number };

const steps = (often: readonly Action[], maxLength: number) =>
  fc.array(fc.record({ action: fc.constantFrom(...often), person: fc.nat({ max: 2 }), team: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength,
  });

interface World {
  readonly people: readonly Person[];
  readonly teams: readonly string[];
}

async function world(): Promise<World> {
  const people = [await scene.person(), await scene.person(), await scene.person()];
  const teams = [await scene.team(), await scene.team(), await scene.team()];
  return { people, teams };
}

/** Runs the step as a server call. @returns its status */
async function act({ action, person, team }: Step, { people, teams }: World): Promise<number> {
  const params = { team_id: teams[team] ?? '', user_id: people[person]?.id ?? '' };
  const calls = {
    join: () => scene.call('POST /team-memberships/{team_id}/{user_id}', { ...asServer, params, body: {} }),
    leave: () => scene.call('DELETE /team-memberships/{team_id}/{user_id}', { ...asServer, params }),
    select: () =>
      scene.call('PATCH /users/{user_id}', { ...asServer, params, body: { selected_team_id: params.team_id } }),
    deselect: () => scene.call('PATCH /users/{user_id}', { ...asServer, params, body: { selected_team_id: null } }),
    rename: () => {
      const body = { display_name: 'Renamed' };
      return scene.call('PATCH /team-member-profiles/{team_id}/{user_id}', { ...asServer, params, body });
    },
    deleteTeam: () => scene.call('DELETE /teams/{team_id}', { ...asServer, params }),
    deleteUser: () => scene.call('DELETE /users/{user_id}', { ...asServer, params }),
  };
  return (await calls[action]()).status;
}

/** A simple model of the expected state. */
class Model {
  readonly people = new Set([0, 1, 2]);
  readonly teams = new Set([0, 1, 2]);
  /** `person team` */
  readonly members = new Map<string, { isRenamed: boolean }>();
  readonly selected = new Map<number, number>();

  /** @returns the expected status of the step */
  act({ action, person, team }: Step): number {
    const key = `${person} ${team}`;
    const { people, teams, members, selected } = this;
    switch (action) {
      case 'join':
        if (!people.has(person) || !teams.has(team)) return 404;
        if (members.has(key)) return 409;
        members.set(key, { isRenamed: false });
        return 201;
      case 'leave':
        if (!members.has(key)) return 404;
        this.end(person, team);
        return 200;
      case 'select':
        if (!people.has(person) || !members.has(key)) return 404;
        selected.set(person, team);
        return 200;
      case 'deselect':
        selected.delete(person);
        return people.has(person) ? 200 : 404;
      case 'rename': {
        const member = members.get(key);
        if (member === undefined) return 404;
        member.isRenamed = true;
        return 200;
      }
      case 'deleteTeam':
        for (const one of [0, 1, 2]) this.end(one, team);
        return teams.delete(team) ? 200 : 404;
      case 'deleteUser':
        for (const one of [0, 1, 2]) this.end(person, one);
        return people.delete(person) ? 200 : 404;
    }
  }

  private end(person: number, team: number): void {
    this.members.delete(`${person} ${team}`);
    if (this.selected.get(person) === team) this.selected.delete(person);
  }

  state(): string[] {
    return [...this.members]
      .map(([key, { isRenamed }]) => {
        const [person, team] = key.split(' ').map(Number);
        return `${key} team_member ${isRenamed} ${person !== undefined && this.selected.get(person) === team}`;
      })
      .sort();
  }
}

/** The memberships in the database, in the format of the model. */
async function stored({ people, teams }: World): Promise<string[]> {
  const rows = await server.deps.db.query<{
    teamId: string;
    userId: string;
    grants: string[];
    isRenamed: boolean;
    isSelected: boolean;
  }>(sql`
    select m.team_id as "teamId", m.user_id as "userId", array(
        select g.permission_id from team_permissions g
        where g.project_id = m.project_id and g.team_id = m.team_id and g.user_id = m.user_id
      ) as grants, m.display_name is not null as "isRenamed",
      u.selected_team_id is not distinct from m.team_id as "isSelected"
    from team_memberships m join users u on u.project_id = ${scene.project.id} and u.id = m.user_id
    where m.project_id = ${scene.project.id} and m.team_id = any(${[...teams]})
  `);
  const place = (userId: string) => people.findIndex(({ id }) => id === userId);
  const lines = rows.map(({ userId, teamId, grants, isRenamed, isSelected }) =>
    [place(userId), teams.indexOf(teamId), grants, isRenamed, isSelected].join(' '),
  );
  return lines.sort();
}

const all: Action[] = [
  'join',
  'join',
  'join',
  'leave',
  'select',
  'select',
  'deselect',
  'rename',
  'deleteTeam',
  'deleteUser',
];

describe('memberships', () => {
  test('sequential steps give the state of the model', async () => {
    await fc.assert(
      fc.asyncProperty(steps(all, 20), async given => {
        const [real, model] = [await world(), new Model()];
        for (const step of given) expect([step, await act(step, real)]).toEqual([step, model.act(step)]);
        expect(await stored(real)).toEqual(model.state());
      }),
      { numRuns: 15 },
    );
  });

  test('concurrent steps cause no unexpected status, and only members have a selected team', async () => {
    await fc.assert(
      fc.asyncProperty(steps(all, 16), async given => {
        const real = await world();
        const statuses = await Promise.all(given.map(step => act(step, real)));
        expect(statuses.filter(status => ![200, 201, 404, 409].includes(status))).toEqual([]);
        await assertSound(real);
      }),
      { numRuns: 15 },
    );
  });
});

/** The invariants: at most one selection per user, grants of members only, no memberships of deleted users or teams. */
async function assertSound({ people, teams }: World): Promise<void> {
  const memberships = await stored({ people, teams });
  // Every member has the default permission of the project.
  expect(memberships.filter(line => line.split(' ')[2] !== 'team_member')).toEqual([]);
  const selections = memberships.filter(line => line.endsWith('true')).map(line => line[0]);
  expect(new Set(selections).size).toBe(selections.length);
  for (const [place, { id }] of people.entries()) {
    const user = await scene.call('GET /users/{user_id}', { ...asServer, params: { user_id: id } });
    const isSelecting = 'body' in user && (user.body as { selected_team_id: string | null }).selected_team_id !== null;
    expect(isSelecting).toBe(selections.includes(String(place)));
    if (user.status === 404) expect(memberships.filter(line => line.startsWith(String(place)))).toEqual([]);
  }
  for (const [place, id] of teams.entries()) {
    const team = await scene.call('GET /teams/{team_id}', { ...asServer, params: { team_id: id } });
    if (team.status === 404) expect(memberships.filter(line => line.split(' ')[1] === String(place))).toEqual([]);
  }
  const grants = await server.deps.db.query<{ isMember: boolean }>(sql`
    select exists (
      select from team_memberships m
      where m.project_id = g.project_id and m.team_id = g.team_id and m.user_id = g.user_id
    ) as "isMember"
    from team_permissions g where g.project_id = ${scene.project.id}
  `);
  expect(grants.filter(({ isMember }) => !isMember)).toEqual([]);
}
