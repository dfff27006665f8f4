import { randomUUID } from 'node:crypto';
import { endpoints, type Route } from '@tessera/protocol';
import type { CallOptions, ProjectAccess } from '@tessera/testing/call';
import { type Outcome, outcome } from '@tessera/testing/outcome';
import { expect } from 'vitest';
import * as z from 'zod';
import type { ProjectConfig } from '../../core/project-config.ts';
import { unreachable } from '../../http/refusal.ts';
import type { Passwords } from '../../platform/crypto/passwords.ts';
import { transaction } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { takeQueuedEmails } from '../../test/email-queue.ts';
import type { TestServer } from '../../test/harness.ts';
import { updateProject } from '../projects/index.ts';
import { createCode } from '../verification-codes/index.ts';
import type { CodeData, CodeKind } from '../verification-codes/kinds.ts';

/** A signed-in user. */
export interface Person {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const withId = z.object({ id: z.string() });
const tokens = z.object({ user_id: z.string(), access_token: z.string(), refresh_token: z.string() });
const sessionTokens = tokens.omit({ user_id: true });

export const callback = 'http://localhost:3000/handler?from=mail';
export const success = { status: 200, body: { success: true } };
export const isValid = { status: 200, body: { is_code_valid: true } };
export const notFound = { status: 404, code: 'VERIFICATION_CODE_NOT_FOUND' };
export const expired = { status: 400, code: 'VERIFICATION_CODE_EXPIRED' };
export const used = { status: 409, code: 'VERIFICATION_CODE_ALREADY_USED' };
export const tooMany = { status: 400, code: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED' };
export const untrusted = { status: 400, code: 'REDIRECT_URL_NOT_WHITELISTED' };
export const noUser = { status: 400, code: 'CANNOT_GET_OWN_USER_WITHOUT_USER' };
export const invalid = { status: 400, code: 'SCHEMA_ERROR', details: expect.anything() };
export const refused = (status: number) => ({ status, says: 'a sentence' });

/** The known errors that the OpenAPI document lists for a route. */
export function documentedErrors(route: Route): readonly string[] {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === route);
  return found?.errors ?? unreachable(`${route} is in the table`);
}

/** 45 characters that are not a valid code. */
export const noCode = '0'.repeat(45);

/** Password hashing without its cost, for tests of other features. `work` lists the calls. */
export function plainPasswords(): Passwords & { readonly work: string[] } {
  const work: string[] = [];
  return {
    work,
    hash: async password => {
      work.push('hash');
      return `plain ${password}`;
    },
    matches: async (password, stored) => {
      work.push('compare');
      return stored === `plain ${password}`;
    },
    needsRehash: () => false,
  };
}

/** As `plainPasswords`. A test sets `meanwhile` to what happens while the next password waits for its hash. */
export function interruptedPasswords(): Passwords & { meanwhile: (() => Promise<unknown>) | undefined } {
  const plain = plainPasswords();
  return {
    ...plain,
    meanwhile: undefined,
    async hash(...password) {
      const { meanwhile } = this;
      this.meanwhile = undefined;
      await meanwhile?.();
      return plain.hash(...password);
    },
  };
}

/** A project with users who sign in, for tests; makes and calls, and asserts nothing. */
export async function openScene(server: TestServer, config: Partial<ProjectConfig> = {}) {
  const project = await server.make.project({ magicLinkEnabled: true, ...config });
  return sceneOf(server, project);
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

export function sceneOf(server: TestServer, project: ProjectAccess) {
  const { db } = server.deps;
  let count = 0;

  async function call(route: Route, options: CallOptions = {}): Promise<Outcome> {
    return outcome(await server.call(route, { project, ...options }));
  }

  /** A user created by a server, with a session. */
  async function person(fields: object = {}): Promise<Person> {
    const made = await server.call('POST /users', { project, level: 'server', body: fields });
    const { id } = withId.parse(made.json);
    return { id, ...(await session(id)) };
  }

  async function session(userId: string, fields: object = {}): Promise<Omit<Person, 'id'>> {
    const body = { user_id: userId, ...fields };
    const answer = await server.call('POST /auth/sessions', { project, level: 'admin', body });
    const { access_token: accessToken, refresh_token: refreshToken } = sessionTokens.parse(answer.json);
    return { accessToken, refreshToken };
  }

  async function anonymous(): Promise<Person> {
    const answer = await server.call('POST /auth/anonymous/sign-up', { project });
    return personOf(answer.json);
  }

  /** The user in the server view. */
  async function userById(id: string): Promise<unknown> {
    return (await server.call('GET /users/{user_id}', { project, level: 'server', params: { user_id: id } })).json;
  }

  /** Changes the configuration, and waits until the server has reloaded it. */
  async function configure(changes: Partial<ProjectConfig>): Promise<void> {
    const heard = new Promise<void>(resolve =>
      server.deps.databaseNotifications.on('project', key => key === project.id && resolve()),
    );
    const by = { projectId: project.id, actor: { type: 'system', id: null } } as const;
    await transaction(db, tx => updateProject(tx, by, { config: changes }, server.deps));
    await heard;
  }

  /** The emails since the last call. */
  const takeEmails = () => takeQueuedEmails(server.deps, project.id);

  /** The code in the link of the newest email. */
  async function emailedCode(): Promise<string> {
    const message = (await takeEmails()).at(-1) ?? unreachable('no email is queued');
    const link = Object.values(message.variables).find(value => value.startsWith('http')) ?? '';
    return new URL(link).searchParams.get('code') ?? unreachable('a link without a code');
  }

  /** A code without an email. */
  async function code<K extends CodeKind>(
    kind: K,
    { data, ...more }: { userId?: string; address?: string; data: CodeData<K> },
  ): Promise<string> {
    const request = { projectId: project.id, kind, userId: null, address: null, data, ...more };
    return (await transaction(db, tx => createCode(tx, request, server.deps))).code;
  }

  async function sessionsOf(userId: string): Promise<number> {
    const rows = await db.query(sql`select id from sessions where project_id = ${project.id} and user_id = ${userId}`);
    return rows.length;
  }

  async function isLive({ refreshToken }: Pick<Person, 'refreshToken'>): Promise<boolean> {
    return (await server.call('POST /auth/sessions/current/refresh', { project, refreshToken })).status === 200;
  }

  const address = () => `person-${++count}-${randomUUID().slice(0, 8)}@example.com`;

  return {
    project,
    call,
    person,
    session,
    anonymous,
    userById,
    configure,
    takeEmails,
    emailedCode,
    code,
    sessionsOf,
    isLive,
    address,
  };
}

/** The user of a sign-in response. */
export function personOf(json: unknown): Person {
  const { user_id: id, access_token: accessToken, refresh_token: refreshToken } = tokens.parse(json);
  return { id, accessToken, refreshToken };
}

/** Runs steps one millisecond apart, so that log rows have an order. */
export async function inOrder(server: TestServer, steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) {
    server.clock.advance(1);
    await step();
  }
}

const failedSignIns = z.object({
  items: z.array(
    z.object({
      user_id: z.string().nullable(),
      details: z.object({ method: z.string(), reason: z.string(), cause: z.string().optional() }),
    }),
  ),
});

/** The failed sign-ins of the audit log, oldest first. */
export async function auditedFailures(server: TestServer, project: ProjectAccess) {
  const query = { action: 'sign_in.failed' };
  const { json } = await server.call('GET /internal/extensions/audit-log', { project, level: 'admin', query });
  return failedSignIns
    .parse(json)
    .items.reverse()
    .map(({ user_id: userId, details }) => ({ ...details, userId }));
}
