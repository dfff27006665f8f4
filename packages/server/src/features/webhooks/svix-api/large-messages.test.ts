import type { ProjectAccess } from '@tessera/testing/call';
import type { Svix } from 'svix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { portalTokenOf, svixClient } from '../scene.fixtures.ts';

/** Together above the limit of a list: 45 times 768 KB, as large as the events of a user with large metadata. */
const count = 45;

let server: TestServer;
let project: ProjectAccess;
let svix: Svix;
let endpointId: string;
beforeAll(async () => {
  server = await openTestServer();
  project = await server.make.project();
  svix = svixClient(server, await portalTokenOf(server, project));
  endpointId = (await svix.endpoint.create(project.id, { url: 'https://receiver.example' })).id;
  const data = JSON.stringify({ text: 'x'.repeat(768 * 1024) });
  await server.deps.db.query(sql`
    insert into webhook_events (project_id, id, type, data, created_at_millis)
    select ${project.id}, gen_random_uuid(), 'user.updated', ${data}, number
    from generate_series(1, ${count}::integer) number
  `);
  await server.deps.db.query(sql`
    insert into webhook_deliveries (project_id, event_id, endpoint_id, status, attempts, created_at_millis)
    select e.project_id, e.id, p.id, 'success', 1, e.created_at_millis
    from webhook_events e join webhook_endpoints p on p.project_id = e.project_id where e.project_id = ${project.id}
  `);
  await server.deps.db.query(sql`
    insert into webhook_attempts (
      project_id, id, event_id, endpoint_id, url, is_success, is_manual, answer_status, answer, duration_ms, at_millis
    )
    select d.project_id, gen_random_uuid(), d.event_id, d.endpoint_id, '', true, false, 200, '', 1, d.created_at_millis
    from webhook_deliveries d where d.project_id = ${project.id}
  `);
});
afterAll(() => server.close());

interface ListOptions {
  readonly limit: number;
  readonly iterator?: string;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly done: boolean;
  readonly iterator: string | null;
}

/** Follows the iterators of a list to its end. @returns the sizes of the pages */
async function readPages(list: (options: ListOptions) => Promise<Listed>) {
  const lengths: number[] = [];
  const ids = new Set<string>();
  let page: Listed = { data: [], done: false, iterator: null };
  while (!page.done) {
    page = await list({ limit: 250, ...(page.iterator === null ? {} : { iterator: page.iterator }) });
    lengths.push(page.data.length);
    for (const { id } of page.data) ids.add(id);
  }
  return { lengths, found: ids.size };
}

describe('control 80: large messages', () => {
  test.each<[string, (options: ListOptions) => Promise<Listed>]>([
    ['messages', options => svix.message.list(project.id, options)],
    ['messages of an endpoint', options => svix.messageAttempt.listAttemptedMessages(project.id, endpointId, options)],
  ])('make the pages of the list of %s shorter, and none is left out', async (_, list) => {
    const { lengths, found } = await readPages(list);
    expect(found).toBe(count);
    expect(lengths.length).toBeGreaterThan(1);
  });

  test('are not read for the list of delivery attempts', async () => {
    const { lengths, found } = await readPages(options =>
      svix.messageAttempt.listByEndpoint(project.id, endpointId, { ...options, withMsg: true }),
    );
    expect([lengths, found]).toEqual([[count], count]);
  });
});
