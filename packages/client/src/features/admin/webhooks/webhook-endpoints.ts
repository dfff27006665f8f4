import type { Context } from '../../../app/context.ts';
import { type Reads, readOf } from '../../../cache/resource.ts';
import { createSvixCall } from '../svix-call.ts';
import type { WebhookMethods, WebhookReads } from './objects.ts';
import {
  type AttemptJson,
  attemptFromWire,
  type EndpointJson,
  type EndpointMessageJson,
  endpointFromWire,
  endpointMessageFromWire,
  endpointToWire,
  historyToWire,
  type MessageJson,
  messageFromWire,
  type PageJson,
  pageFromWire,
  pageToWire,
} from './wire.ts';

export function webhookEndpoints(ctx: Context<'admin'>): { reads: Reads<WebhookReads>; methods: WebhookMethods } {
  const { resources } = ctx;
  const call = createSvixCall(ctx);

  const endpoints = resources.make('webhookEndpoints', (query: string) => ({
    load: async () =>
      pageFromWire(await call<PageJson<EndpointJson>>('GET /endpoint', { query: JSON.parse(query) }), endpointFromWire),
  }));
  const messages = resources.make('webhookMessages', (query: string) => ({
    load: async () =>
      pageFromWire(await call<PageJson<MessageJson>>('GET /msg', { query: JSON.parse(query) }), messageFromWire),
  }));
  const endpointMessages = resources.make('webhookEndpointMessages', (id: string, query: string) => ({
    load: async () => {
      const parts = { params: { id }, query: JSON.parse(query) };
      const page = await call<PageJson<EndpointMessageJson>>('GET /endpoint/{id}/msg', parts);
      return pageFromWire(page, endpointMessageFromWire);
    },
  }));
  const attempts = resources.make('webhookAttempts', (id: string, query: string) => ({
    load: async () => {
      const parts = { params: { id }, query: JSON.parse(query) };
      return pageFromWire(await call<PageJson<AttemptJson>>('GET /attempt/endpoint/{id}', parts), attemptFromWire);
    },
  }));
  const eventTypes = resources.make(null, () => ({
    load: async () => (await ctx.call('GET /internal/extensions/webhooks', { session: null })).event_types,
  }));
  return {
    reads: {
      listWebhookEndpoints: readOf((options = {}) => endpoints.entry(JSON.stringify(pageToWire(options)))),
      listWebhookEventTypes: readOf(() => eventTypes.entry()),
      listWebhookMessages: readOf((options = {}) => messages.entry(JSON.stringify(historyToWire(options)))),
      listWebhookEndpointMessages: readOf((id, options = {}) =>
        endpointMessages.entry(id, JSON.stringify(historyToWire(options))),
      ),
      listWebhookAttempts: readOf((id, options = {}) => attempts.entry(id, JSON.stringify(historyToWire(options)))),
    },
    methods: {
      async createWebhookEndpoint({ secret, ...options }) {
        const body = { ...endpointToWire(options), secret };
        const created = await call<EndpointJson>('POST /endpoint', { body });
        await resources.renew('webhookEndpoints');
        return endpointFromWire(created);
      },
      async updateWebhookEndpoint(id, changes) {
        const changed = await call<EndpointJson>('PATCH /endpoint/{id}', {
          params: { id },
          body: endpointToWire(changes),
        });
        await resources.renew('webhookEndpoints');
        return endpointFromWire(changed);
      },
      async deleteWebhookEndpoint(id) {
        await call('DELETE /endpoint/{id}', { params: { id } });
        await resources.renew('webhookEndpoints');
      },
      getWebhookSecret: async id => (await call<{ key: string }>('GET /endpoint/{id}/secret', { params: { id } })).key,
      async rotateWebhookSecret(id, { secret, overlapSeconds } = {}) {
        const body = { key: secret, gracePeriodSeconds: overlapSeconds };
        await call('POST /endpoint/{id}/secret/rotate', { params: { id }, body });
      },
      async getWebhookMessageAttempts(id, options = {}) {
        const parts = { params: { id }, query: historyToWire(options) };
        return pageFromWire(await call<PageJson<AttemptJson>>('GET /attempt/msg/{id}', parts), attemptFromWire);
      },
      ...manualDeliveries(ctx, call),
    },
  };
}

function manualDeliveries(
  { resources }: Context<'admin'>,
  call: ReturnType<typeof createSvixCall>,
): Pick<WebhookMethods, 'resendWebhook' | 'sendWebhookExample'> {
  const renewHistory = () =>
    Promise.all([
      resources.renew('webhookMessages'),
      resources.renew('webhookEndpointMessages'),
      resources.renew('webhookAttempts'),
    ]);
  return {
    async resendWebhook(message, endpoint) {
      await call('POST /msg/{message}/endpoint/{endpoint}/resend', { params: { message, endpoint } });
      await renewHistory();
    },
    async sendWebhookExample(id, eventType) {
      const parts = { params: { id }, body: { eventType } };
      const sent = await call<MessageJson>('POST /endpoint/{id}/send-example', parts);
      await renewHistory();
      return messageFromWire(sent);
    },
  };
}
