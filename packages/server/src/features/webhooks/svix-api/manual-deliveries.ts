import { randomUUID } from 'node:crypto';
import { svixEndpoints } from '@tessera/protocol';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, type Transaction, transaction } from '../../../platform/database/database.ts';
import { enqueueManualAttempt } from '../delivery/delivery.ts';
import { type DeliveryId, ensureDelivery } from '../delivery/store.ts';
import type { EndpointRow } from '../endpoints/store.ts';
import { insertUnsentEvent } from '../events/store.ts';
import { exampleData } from '../examples.ts';
import { namedEndpoint } from './endpoints.ts';
import { conflict, notFound } from './failures.ts';
import { namedMessage } from './history.ts';
import { type SvixCall, type SvixRoute, svixRoute } from './route.ts';
import { messageOut } from './wire.ts';

export interface SvixManualDeliveryDeps {
  readonly clock: Clock;
  readonly db: Database;
}

/** Deliveries that a person requests. Each is one attempt. */
export function svixManualDeliveryRoutes({ clock, db }: SvixManualDeliveryDeps): SvixRoute[] {
  return [
    svixRoute(svixEndpoints.resend, async call => {
      const { id: eventId } = await namedMessage(call, { db });
      const endpoint = await enabledEndpoint(db, call);
      const delivery = { projectId: call.project.id, eventId, endpointId: endpoint.id };
      await transaction(db, tx => deliverOnce(tx, delivery));
      return {};
    }),

    svixRoute(svixEndpoints.sendExample, async call => {
      const endpoint = await enabledEndpoint(db, call);
      const projectId = call.project.id;
      const type = call.body.eventType;
      const data = exampleData[type];
      const event = { id: randomUUID(), type, data: JSON.stringify(data), nowMillis: clock.now() };
      await transaction(db, async tx => {
        await insertUnsentEvent(tx, projectId, event);
        await deliverOnce(tx, { projectId, eventId: event.id, endpointId: endpoint.id });
      });
      return messageOut({ ...event, data, createdAtMillis: event.nowMillis }, { withContent: true });
    }),
  ];
}

/** The endpoint in the path. @throws the refusal of a missing or disabled one */
async function enabledEndpoint(db: Database, call: Pick<SvixCall, 'project' | 'params'>): Promise<EndpointRow> {
  const endpoint = await namedEndpoint(db, call);
  if (endpoint.isDisabled) conflict('The endpoint is disabled.');
  return endpoint;
}

async function deliverOnce(tx: Transaction, delivery: DeliveryId): Promise<void> {
  if (!(await ensureDelivery(tx, delivery))) notFound();
  await enqueueManualAttempt(tx, delivery);
}
