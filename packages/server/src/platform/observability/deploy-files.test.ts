import { readFile } from 'node:fs/promises';
import { ask } from '@tessera/testing/call';
import { expect, onTestFinished, test } from 'vitest';
import { openTestServer } from '../../test/harness.ts';

test.each(['alerts.yaml', 'grafana-dashboard.json'])('each metric of %s is a metric of /metrics', async name => {
  const file = await readFile(new URL(`../../../../../deploy/observability/${name}`, import.meta.url), 'utf8');
  const server = await openTestServer({ environment: { TESSERA_METRICS_TOKEN: 'token of this test' } });
  onTestFinished(() => server.close());
  await server.deps.metrics.collectProcess();
  const headers = { authorization: 'Bearer token of this test' };
  const { text } = await ask(server.app, '/metrics', { headers });
  const known = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, metric]) => metric));
  const used = new Set(Array.from(file.matchAll(/\btessera_\w+/g), ([metric]) => metric.replace(/_bucket$/, '')));
  expect(used.size).toBeGreaterThan(5);
  expect([...used].filter(metric => !known.has(metric))).toEqual([]);
});
