import * as foreign from '@stackframe/js';
import * as own from '@tessera/client/stack';
import { until } from '@tessera/testing/until';
import { expect } from 'vitest';
import { configure, everything } from '../support/project.ts';
import { runScenario, type Sdk } from '../support/sdk-scenario.ts';
import { test } from '../support/test.ts';

// The scenario uses what both packages share. The types of the other package support more than one server.
const packages = { own, foreign: foreign as unknown as Sdk };

test('the same scenario has the same results with our SDK and with the SDK of the hosted service', async ({
  server,
}) => {
  await configure(server, everything);
  const { projectId, publishableClientKey } = server.keys;
  const app = new own.StackClientApp({ projectId, publishableClientKey, baseUrl: server.url, tokenStore: 'memory' });
  await until('the project offers all features', async () => (await app.getProject()).config.allowUserApiKeys);

  const ours = await runScenario(packages.own, server);
  const theirs = await runScenario(packages.foreign, server);
  expect(ours).toEqual(theirs);
});
