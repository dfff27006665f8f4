import { randomBytes } from 'node:crypto';
import { oauthFlowLifetimeMs, oauthStateBytes } from '@tessera/protocol';
import * as oauth from 'oauth4webapi';
import * as z from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { type Secrets, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { FlowSecrets } from '../providers/provider-client.ts';
import type { FlowPurpose } from '../rules.ts';
import { type FlowRow, insertFlow, selectFlow, takeFlow } from '../store.ts';

/** The encryption purpose of stored flows, which contain the inner PKCE verifier. */
export const oauthFlowPurpose = 'oauth flow';

/** Flows that an older version stored have no session. */
const sessionId = z.string().nullable().default(null);

export const flowPurpose = z.discriminatedUnion('type', [
  z.object({ type: z.literal('authenticate'), anonymousUserId: z.string().nullable(), sessionId }),
  z.object({ type: z.literal('link'), userId: z.string(), sessionId }),
]);

const storedFlow = z.object({
  redirectUri: z.string(),
  scope: z.string(),
  /** The state of the app. */
  state: z.string(),
  codeChallenge: z.string(),
  purpose: flowPurpose,
  extraScopes: z.array(z.string()),
  errorRedirectUrl: z.string().nullable(),
  afterCallbackRedirectUrl: z.string().nullable(),
});

const storedTest = z.object({
  /** The person who began the test; null when a key began it. */
  testerId: z.string().nullable(),
});

const stored = z.intersection(z.union([storedFlow, storedTest]), z.object({ verifier: z.string(), nonce: z.string() }));

/** The parameters of an authorize request, stored until the callback. */
export type FlowRequest = z.infer<typeof storedFlow>;

type TestRequest = z.infer<typeof storedTest>;

/** A stored flow, read by the callback. */
export interface FlowState {
  readonly projectId: string;
  readonly providerId: string;
  readonly secrets: FlowSecrets;
  /** The callback came after the lifetime of the flow. */
  readonly isExpired: boolean;
}

export interface Flow extends FlowState, FlowRequest {}

interface Taken {
  /** The hash under which the row of a link stays until `endLink`. */
  readonly takenHash: Buffer;
}

/** A flow that no other callback can take. */
export type TakenFlow = Flow & Taken;

/** A flow that tests the provider: it ends without a user or a session. */
export interface TestFlow extends FlowState, TestRequest {}

interface FlowDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
}

export function newFlowSecrets(): FlowSecrets {
  return {
    state: randomBytes(oauthStateBytes).toString('base64url'),
    verifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
  };
}

export async function storeFlow(
  projectId: string,
  providerId: string,
  { request, secrets }: { request: FlowRequest | TestRequest; secrets: FlowSecrets },
  deps: FlowDeps,
): Promise<void> {
  const { state, verifier, nonce } = secrets;
  const encrypted = deps.secrets.encrypt(oauthFlowPurpose, JSON.stringify({ ...request, verifier, nonce }));
  const stateHash = sha256(state);
  const userId = 'purpose' in request ? linkingUserOf(request.purpose) : null;
  await insertFlow(deps.db, projectId, {
    stateHash,
    providerId,
    request: encrypted,
    userId,
    nowMillis: deps.clock.now(),
  });
}

/** The user who links a provider account; null for a sign-in. */
export function linkingUserOf(purpose: FlowPurpose): string | null {
  return purpose.type === 'link' ? purpose.userId : null;
}

/** Takes the flow of a state. A second callback with the same state gets undefined. */
export async function takeStoredFlow(
  state: string,
  deps: FlowDeps,
): Promise<TakenFlow | (TestFlow & Taken) | undefined> {
  const takenHash = randomBytes(oauthStateBytes);
  const row = await takeFlow(deps.db, sha256(state), takenHash);
  return row === undefined ? undefined : { ...openFlow(row, state, deps), takenHash };
}

function openFlow(row: FlowRow, state: string, deps: FlowDeps): Flow | TestFlow {
  const { projectId, providerId, createdAtMillis } = row;
  const { verifier, nonce, ...request } = stored.parse(
    JSON.parse(deps.secrets.decrypt(oauthFlowPurpose, row.request).toString()),
  );
  const isExpired = createdAtMillis + oauthFlowLifetimeMs <= deps.clock.now();
  return { ...request, projectId, providerId, secrets: { state, verifier, nonce }, isExpired };
}

/** Reads the flow of a provider test, which stays stored. Undefined when there is none. */
export async function readTestFlow(state: string, deps: FlowDeps): Promise<TestFlow | undefined> {
  const row = await selectFlow(deps.db, sha256(state));
  const flow = row === undefined ? undefined : openFlow(row, state, deps);
  return flow !== undefined && 'testerId' in flow ? flow : undefined;
}

/** The project and the provider of a flow, which stays stored. Undefined when the flow is over. */
export function projectOfFlow(
  state: string,
  { db }: Pick<FlowDeps, 'db'>,
): Promise<{ projectId: string; providerId: string } | undefined> {
  return selectFlow(db, sha256(state));
}
