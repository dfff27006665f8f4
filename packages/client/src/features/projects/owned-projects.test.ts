import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientApp } from '../../app/app.ts';
import { adminProjectJson } from '../../test/admin-json.ts';
import { readOfEntity } from '../../test/readers.ts';
import { list, sent, signedIn, success } from '../../test/signed-in.ts';
import { soon } from '../../test/soon.ts';
import { json } from '../../test/stub-server.ts';
import type { CurrentUser } from '../account/current-user/current-user.ts';
import type { AdminOwnedProject } from '../admin/project.ts';
import type { InternalUserPart } from './owned-projects.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Owner = CurrentUser & InternalUserPart;
const current = '/api/v1/internal/projects/current';

async function owner(routes = {}) {
  const all = await signedIn(
    { 'GET /api/v1/internal/projects': () => list(adminProjectJson), ...routes },
    { projectId: 'internal' },
  );
  return { ...all, user: all.user as Owner };
}

test('only users of the project `internal` have owned projects', async () => {
  const { user } = await signedIn();
  expect('listOwnedProjects' in user).toBe(false);
});

test('a created project is listed with the same app at every read', async () => {
  const { user, server } = await owner({ 'POST /api/v1/internal/projects': () => json(adminProjectJson) });
  const created = await soon(user.createProject({ displayName: 'Shop', config: { magicLinkEnabled: true } }));
  const [listed] = await soon(user.listOwnedProjects());
  expect(created).toMatchObject({ displayName: 'Shop', id: adminProjectJson.id });
  expect(created.app).toBe(listed?.app);
  expect(created.app).toBeInstanceOf(ClientApp);
  expect(created.app.projectId).toBe(adminProjectJson.id);
  expect(sent(server)).toEqual([
    'POST /internal/projects {"display_name":"Shop","config":{"magic_link_enabled":true}}',
    'GET /internal/projects',
  ]);
});

test("the app of an owned project uses the owner's session and needs no keys", async () => {
  const { user, server } = await owner({ 'GET /api/v1/users': () => json({ items: [], pagination: {} }) });
  const [project] = await soon(user.listOwnedProjects());
  await soon(project?.app.listUsers() ?? Promise.reject());
  const headers = server.seen.at(-1)?.headers;
  expect(headers?.get('x-stack-project-id')).toBe(adminProjectJson.id);
  expect(headers?.get('x-stack-admin-access-token')).toContain('head.');
  expect(headers?.get('x-stack-access-type')).toBe('server');
  expect(headers?.get('x-stack-secret-server-key')).toBe('');
  expect(headers?.has('x-stack-publishable-client-key')).toBe(false);
});

test('changing or deleting an owned project updates the watched list', async () => {
  const { user, server } = await owner({
    [`PATCH ${current}`]: () => json(adminProjectJson),
    [`DELETE ${current}`]: success,
  });
  const reader = readOfEntity(user, 'listOwnedProjects').reader();
  reader.subscribe(() => {});
  const [project] = await soon(user.listOwnedProjects());
  server.routes['GET /api/v1/internal/projects'] = () => list({ ...adminProjectJson, display_name: 'New' });
  await soon(project?.update({ displayName: 'New' }) ?? Promise.reject());
  expect(reader.peek()).toMatchObject({ data: [{ displayName: 'New' }] });
  server.routes['GET /api/v1/internal/projects'] = () => list();
  await soon(project?.delete() ?? Promise.reject());
  expect(reader.peek()).toMatchObject({ data: [] });
  expect(server.to(`DELETE ${current}`)[0]?.headers.get('x-stack-project-id')).toBe(adminProjectJson.id);
});

test("a change of a project through its own app, and leaving it, update the owner's watched list", async () => {
  const { user, server } = await owner({
    [`GET ${current}`]: () => json(adminProjectJson),
    [`PATCH ${current}`]: () => json(adminProjectJson),
    'DELETE /api/v1/internal/extensions/project-members/me': success,
  });
  const reader = readOfEntity(user, 'listOwnedProjects').reader();
  reader.subscribe(() => {});
  const [{ app }] = (await soon(user.listOwnedProjects())) as [AdminOwnedProject];
  const project = await soon(app.getProject());
  server.routes['GET /api/v1/internal/projects'] = () => list({ ...adminProjectJson, display_name: 'New' });
  await soon(project.update({ displayName: 'New' }));
  expect(reader.peek()).toMatchObject({ data: [{ displayName: 'New' }] });
  server.routes['GET /api/v1/internal/projects'] = () => list();
  await soon(app.removeProjectMember('me'));
  expect(reader.peek()).toMatchObject({ data: [] });
});
