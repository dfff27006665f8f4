import type { Endpoint } from '@tessera/protocol';
import { type Answered, type CallOptions, readAnswer, requestOf } from '@tessera/testing/call';
import { selectCallUsers } from '../features/accounts/users/index.ts';
import { bind, type Handler } from '../http/bind.ts';
import { fromRequest, toResponse } from '../http/fetch-adapter.ts';
import { createPipeline } from '../http/pipeline.ts';
import type { TestServer } from './harness.ts';

/**
 * Serves an endpoint that is not in the table through the pipeline of a test server, to test the pipeline with every
 * kind of endpoint.
 */
export function serveEndpoint<const E extends Endpoint>(
  { deps }: TestServer,
  endpoint: E,
  handler: Handler<E>,
  { isDevelopment = true }: { isDevelopment?: boolean } = {},
): (options?: CallOptions) => Promise<Answered> {
  const pipeline = createPipeline({
    projects: deps.projects,
    accessTokens: deps.accessTokens,
    clock: deps.clock,
    findUser: async asked => (await selectCallUsers(deps.db, [asked], deps.clock.now()))[0],
    findMemberRole: async () => undefined,
    assertRecentOwner: async () => undefined,
    mayContinue: async () => true,
    log: deps.log,
    metrics: deps.metrics,
    isHttps: false,
    isDevelopment,
    trustedProxyHops: deps.settings.trustedProxyHops,
    onAnswered: () => undefined,
    onFailed: () => undefined,
    runOnce: (_, work) => work(),
  });
  const serve = pipeline.serve(bind(endpoint, handler));
  return async (options = {}) => {
    const request = requestOf(`${endpoint.method} ${endpoint.path}`, options);
    const reply = await serve({
      request: fromRequest(request),
      params: options.params ?? {},
      query: Object.fromEntries(new URL(request.url).searchParams),
    });
    return readAnswer(toResponse(reply));
  };
}
