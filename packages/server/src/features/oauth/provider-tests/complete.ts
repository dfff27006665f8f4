import { randomUUID } from 'node:crypto';
import type { Project } from '../../../core/project.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { TestFlow } from '../authorize/flow.ts';
import { type CallbackCall, completeAtProvider } from '../callback/provider-result.ts';
import type { ProviderClientDeps } from '../providers/clients.ts';
import { ProviderFailure } from '../rules.ts';
import { encryptOutcome, expiredOutcome, failureOf, type ProviderTestOutcome, successOf } from './outcome.ts';
import { insertProviderTest } from './store.ts';

type CompleteTestDeps = ProviderClientDeps & {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
};

/** Keeps the result for the person who began the test. The tokens of the provider are dropped. @returns where it is shown */
export async function completeProviderTest(
  flow: TestFlow,
  answered: { call: CallbackCall; project: Project },
  deps: CompleteTestDeps,
): Promise<string> {
  const { projectId, providerId, testerId } = flow;
  const outcome = flow.isExpired ? expiredOutcome : await outcomeOf(flow, answered, deps);
  const id = randomUUID();
  await insertProviderTest(deps.db, projectId, {
    id,
    providerId,
    testerId,
    outcome: encryptOutcome(outcome, deps.secrets),
    createdAtMillis: deps.clock.now(),
  });
  return `${deps.settings.publicUrl}/dashboard/projects/${projectId}/sign-in-methods?test=${id}`;
}

async function outcomeOf(
  flow: TestFlow,
  answered: { call: CallbackCall; project: Project },
  deps: CompleteTestDeps,
): Promise<ProviderTestOutcome> {
  try {
    const { profile } = await completeAtProvider(flow, answered, deps);
    return successOf(profile);
  } catch (error) {
    if (error instanceof ProviderFailure) return failureOf(error);
    throw error;
  }
}
