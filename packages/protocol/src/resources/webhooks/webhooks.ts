import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { noQuery } from '../../fields/fields.ts';
import { webhookEventTypes } from '../../webhooks.ts';

/** docs/contract/emails-webhooks-metrics.md#webhooks */
export const webhookEndpoints = {
  svixToken: endpoint({
    method: 'POST',
    path: '/webhooks/svix-token',
    access: 'admin',
    // With the token of a viewer the routes of this server only read.
    role: 'viewer',
    query: noQuery,
    body: z.strictObject({}),
    response: z.strictObject({ token: z.string() }),
    status: 201,
    summary: 'Get a token for the Svix-compatible routes, for this project and for one day',
    tag: 'Webhooks',
    errors: [],
  }),
  readSettings: endpoint({
    method: 'GET',
    path: '/internal/extensions/webhooks',
    access: 'admin',
    query: noQuery,
    response: z.strictObject({
      server_url: z.string().meta({
        description: 'Where a Svix client finds the endpoints of this project: this server, or the Svix server in use.',
        example: 'https://auth.example.com',
      }),
      event_types: z.array(z.enum(webhookEventTypes)),
    }),
    summary: 'Read where webhooks are managed, and the event types',
    tag: 'extension',
    errors: [],
  }),
};
