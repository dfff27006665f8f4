import {
  type AccessLevel,
  type Endpoint,
  fail,
  isAtLeast,
  isRoleAtLeast,
  levelsFrom,
  roleOf,
  urlMaxLength,
} from '@tessera/protocol';
import type { Call } from '../core/call.ts';
import type { Caller } from '../core/caller.ts';
import type { HttpRequest } from '../core/http-request.ts';
import { type CredentialsDeps, type Identity, identify } from './access/credentials.ts';
import { requestSource, type SourceSettings, senderBlock } from './access/source.ts';
import type { BoundRoute } from './bind.ts';
import { type RunOnce, readKeyedWrite } from './keyed-write.ts';
import type { ListTurns } from './list-turns.ts';
import { refuse } from './refusal.ts';
import { readBody } from './request/read.ts';
import { assertReadable, createValidator, type Validator, type ValidInput } from './request/validate.ts';
import { type AnswerDeps, answer, readStyle } from './response/answer.ts';
import { draftAnswer } from './response/draft-answer.ts';
import { createExportPlaces, type InExportPlace } from './response/export-places.ts';
import type { Reply } from './response/reply.ts';
import { type Draft, respond } from './response/respond.ts';
import { whileAllowed } from './response/streams.ts';

export interface PipelineDeps extends CredentialsDeps, SourceSettings, AnswerDeps {
  /** Refuses a session of `internal` whose latest authentication is older than a sensitive call allows. */
  readonly assertRecentOwner: (ownerSessionId: string | undefined, withinMs: number) => Promise<void>;
  /** Whether the caller of a long answer still has access. */
  readonly mayContinue: (caller: Caller, endpoint: Endpoint) => Promise<boolean>;
  /** Called after every request that an endpoint answered, but not after a refused one. */
  readonly onAnswered: (endpoint: Endpoint, call: Call) => void;
  /** Called when a handler throws, before the error becomes an answer. */
  readonly onFailed: (endpoint: Endpoint, call: Call, error: unknown) => void;
  /** Runs a write with an idempotency key once; a repeated request gets the stored response. */
  readonly runOnce: RunOnce;
  /** Undefined: no list waits for others of its project. */
  readonly listTurns?: ListTurns;
}

/** A request with the values that the router extracted. */
export interface Incoming {
  readonly request: HttpRequest;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  /** The address of the peer of the socket; undefined without a socket. */
  readonly peerAddress?: string | undefined;
}

/** A request without a route. */
export interface UnknownRoute {
  readonly sentence: string;
  /** The methods of the path; none when there is nothing at the path. */
  readonly methods: readonly string[];
}

export interface Pipeline {
  /** Creates the handler of an endpoint. It maps a request to a response and never throws. */
  serve(route: BoundRoute): (incoming: Incoming) => Promise<Reply>;
  /** Answers unknown paths and methods, after the usual checks of the request. */
  serveUnknown(incoming: Incoming, unknown: UnknownRoute): Promise<Reply>;
  preflight(): Reply;
}

const supportedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function createPipeline(deps: PipelineDeps): Pipeline {
  const inExportPlace = createExportPlaces();
  return {
    serve(route) {
      const { endpoint } = route;
      const inTurn = deps.listTurns?.(endpoint);
      const served = { route, validator: createValidator(endpoint), inTurn, inExportPlace };
      const name = `${endpoint.method} ${endpoint.path}`;
      return incoming => answer(incoming.request, name, deps, requestId => run(served, { incoming, requestId }, deps));
    },
    serveUnknown: (incoming, { sentence, methods }) =>
      answer(incoming.request, 'unknown', deps, async () => {
        const { method } = incoming.request;
        const isKnownPath = methods.length > 0;
        const allow = allowHeader(isKnownPath ? methods : supportedMethods);
        if (!supportedMethods.includes(method))
          refuse(405, `The method ${method} is not supported.`, { headers: { allow } });
        await admit(incoming, undefined, deps);
        if (isKnownPath) refuse(405, sentence, { headers: { allow } });
        refuse(404, sentence);
      }),
    preflight: () => respond({ status: 200, contentType: undefined, body: null }, readStyle(undefined, deps)),
  };
}

/** The methods of a path: a GET route answers HEAD, and the whole API answers OPTIONS. */
function allowHeader(methods: readonly string[]): string {
  const all = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set([...all, 'OPTIONS'])].join(', ');
}

/** A request with the id that its answer carries. */
interface Identified {
  readonly incoming: Incoming;
  readonly requestId: string;
}

/** What is made once for an endpoint. */
interface Served {
  readonly route: BoundRoute;
  readonly validator: Validator;
  readonly inTurn: ReturnType<ListTurns>;
  readonly inExportPlace: InExportPlace;
}

/** A request after the checks that all endpoints share. */
interface Admitted extends Identified {
  readonly identity: Identity;
  readonly body: unknown;
}

async function run(served: Served, { incoming, requestId }: Identified, deps: PipelineDeps): Promise<Draft> {
  const { route, inTurn } = served;
  const { endpoint } = route;
  const { identity, body } = await admit(incoming, endpoint, deps);
  const admitted = { incoming, requestId, identity, body };
  const { caller } = identity;

  async function work(call: Call): Promise<Draft> {
    const result = await runHandler(route, call, deps);
    deps.onAnswered(endpoint, call);
    const isAllowed = () => deps.mayContinue(caller, endpoint);
    const guardExport = (items: AsyncIterable<unknown>) =>
      served.inExportPlace(whileAllowed(items, isAllowed), caller.project?.id ?? '');
    return draftAnswer(endpoint, result, { level: caller.level, request: incoming.request, guardExport, deps });
  }

  const write = readKeyedWrite(endpoint, { identity, incoming, body });
  // The first request may have ended the session of its caller or deleted the user. Its response comes before the checks,
  // which would refuse the repeated request.
  const hasLostUser = identity.token !== undefined && caller.user === null;
  if (write !== undefined && hasLostUser) {
    return deps.runOnce(write, async () => work(await checkCall(served, admitted, deps)));
  }
  const call = await checkCall(served, admitted, deps);
  if (write !== undefined) return deps.runOnce(write, () => work(call));
  if (inTurn === undefined) return work(call);
  return inTurn(call, {
    assertStillAllowed: () => assertStillAllowed(endpoint, incoming.request, deps),
    work: () => work(call),
  });
}

/**
 * Checks the credentials again: a list may wait among others for a minute, in which its key is revoked or the person who
 * manages the project is removed. Control 93.
 */
async function assertStillAllowed(
  endpoint: Endpoint,
  { headers }: Pick<HttpRequest, 'headers'>,
  deps: PipelineDeps,
): Promise<void> {
  const { caller } = await identify(headers, endpoint, deps);
  assertRole(endpoint, caller);
}

/** Checks what an endpoint asks of its caller and its input, in the order of the contract. */
async function checkCall(
  { route: { endpoint }, validator }: Served,
  { incoming, requestId, identity, body }: Admitted,
  deps: PipelineDeps,
): Promise<Call> {
  const { caller } = identity;
  if (identity.hasEndedSession) fail('ACCESS_TOKEN_EXPIRED', { expired_at_millis: deps.clock.now() });
  const { url, headers } = incoming.request;
  const raw = { url, params: incoming.params, query: incoming.query, headers, body };
  assertRole(endpoint, caller);
  if (caller.user === null && validator.namedUser(raw) === 'me') fail('CANNOT_GET_OWN_USER_WITHOUT_USER');
  assertLevel(endpoint, caller.level);
  const { recentSignInWithinMs } = endpoint;
  if (recentSignInWithinMs !== undefined && caller.ownerId !== undefined) {
    await deps.assertRecentOwner(caller.ownerSessionId, recentSignInWithinMs);
  }
  assertReadable(endpoint, raw);
  const valid = validator.validate(raw, { level: caller.level, hasUser: caller.user !== null });
  const source = requestSource(headers, { peerAddress: incoming.peerAddress, traceId: requestId }, deps);
  const named = validator.namedUser(valid);
  const targetUserId = named === 'me' ? caller.user?.id : named?.toLowerCase();
  return callOf(valid, caller, { targetUserId, request: incoming.request, source });
}

/** Written out: V8 creates an object with known keys several times faster than a spread. */
function callOf(
  valid: ValidInput,
  caller: Caller,
  { targetUserId, request, source }: { targetUserId: string | undefined } & Pick<Call, 'request' | 'source'>,
): Call {
  const call: Record<keyof Call, unknown> = {
    params: valid.params,
    query: valid.query,
    headers: valid.headers,
    body: valid.body,
    level: caller.level,
    project: caller.project,
    user: caller.user,
    sessionId: caller.sessionId,
    impersonation: caller.impersonation,
    ownerId: caller.ownerId,
    ownerSessionId: caller.ownerSessionId,
    ownerRole: caller.ownerRole,
    keySetId: caller.keySetId,
    targetUserId,
    request,
    source,
  };
  return call as unknown as Call;
}

async function runHandler(route: BoundRoute, call: Call, { onFailed }: PipelineDeps): Promise<unknown> {
  try {
    return await route.handle(call);
  } catch (error) {
    onFailed(route.endpoint, call, error);
    throw error;
  }
}

/** Checks address, body and credentials, which all endpoints share (docs/contract/envelope.md#order-of-processing). */
async function admit(
  incoming: Incoming,
  endpoint: Endpoint | undefined,
  deps: PipelineDeps,
): Promise<{ identity: Identity; body: unknown }> {
  const { request, peerAddress } = incoming;
  if (request.url.length > urlMaxLength) refuse(414, `The address is longer than ${urlMaxLength} characters.`);
  const sender = () => senderBlock(request.headers, peerAddress, deps);
  const reading = { largeBody: endpoint?.largeBody, sender };
  const body = endpoint?.ignoresBody ? undefined : await readBody(request, reading);
  return { identity: await identify(request.headers, endpoint, deps), body };
}

// Control 91: refuses a caller below the lowest level of the endpoint.
function assertLevel(endpoint: Endpoint, level: AccessLevel | null): void {
  if (endpoint.access === 'none') return;
  if (level === null) fail('ACCESS_TYPE_REQUIRED');
  if (isAtLeast(level, endpoint.access)) return;
  fail('INSUFFICIENT_ACCESS_TYPE', {
    actual_access_type: level,
    allowed_access_types: levelsFrom(endpoint.access),
  });
}

/** A person who manages the project has a role; a caller with a key has none (docs/contract/projects.md#members-and-roles). */
function assertRole(endpoint: Endpoint, { ownerRole }: Caller): void {
  if (ownerRole === undefined) return;
  const lowest = roleOf(endpoint);
  if (isRoleAtLeast(ownerRole, lowest)) return;
  fail('PROJECT_ROLE_INSUFFICIENT', { actual_role: ownerRole, required_role: lowest });
}
