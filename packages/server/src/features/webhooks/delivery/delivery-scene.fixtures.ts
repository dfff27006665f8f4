import type { ProjectAccess } from '@tessera/testing/call';
import type { EndpointIn } from 'svix';
import { vi } from 'vitest';
import { transaction } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { TestServer } from '../../../test/harness.ts';
import { publishEvent } from '../events/index.ts';
import { openReceiver, portalTokenOf, type Receiver, type ReceiverAnswer, svixClient } from '../scene.fixtures.ts';

/** A project with a receiver, which answers with `scene.answer`. `Date` is the clock of the server until `close`. */
export async function openDeliveryScene(server: TestServer) {
  const openProject = async () => {
    const project: ProjectAccess = await server.make.project();
    return { project, svix: await clientOf(project) };
  };
  const clientOf = async (project: ProjectAccess) => svixClient(server, await portalTokenOf(server, project));
  const receiver: Receiver = await openReceiver(() => scene.answer);

  const scene = {
    ...(await openProject()),
    receiver,
    answer: { status: 200, body: 'thanks' } as ReceiverAnswer,

    /** What follows belongs to a new project. */
    async changeProject(): Promise<void> {
      Object.assign(scene, await openProject());
    },

    /** Creates an endpoint with the URL of the receiver, and returns its id. */
    async endpoint(settings: Partial<EndpointIn> = {}): Promise<string> {
      return (await scene.svix.endpoint.create(scene.project.id, { url: `${scene.receiver.url}/hook`, ...settings }))
        .id;
    },

    publish(type: 'user.created' | 'team.created' = 'team.created', data: object = { id: 'it' }): Promise<void> {
      return transaction(server.deps.db, tx =>
        publishEvent(tx, { projectId: scene.project.id, type, data, nowMillis: server.clock.now() }),
      );
    },

    /** Advances the clock and creates a new client, because the token expires. */
    async advanceClock(byMs: number): Promise<void> {
      server.clock.advance(byMs);
      vi.setSystemTime(server.clock.now());
      scene.svix = await clientOf(scene.project);
    },

    /** The bodies that the receiver got. */
    bodies(): unknown[] {
      return scene.receiver.received.map(({ body }) => JSON.parse(body));
    },

    /** The number of jobs of the project. */
    async jobs(): Promise<number> {
      const rows = await server.deps.db.query(
        sql`select 1 from graphile_worker._private_jobs where payload ->> 'projectId' = ${scene.project.id}`,
      );
      return rows.length;
    },

    async close(): Promise<void> {
      vi.useRealTimers();
      await scene.receiver.close();
    },
  };
  vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() });
  return scene;
}

export type DeliveryScene = Awaited<ReturnType<typeof openDeliveryScene>>;
