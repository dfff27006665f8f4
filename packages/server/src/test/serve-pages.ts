import type { App } from '../http/fetch-adapter.ts';
import { toApp } from '../http/fetch-adapter.ts';
import type { Pipeline } from '../http/pipeline.ts';
import { unreachable } from '../http/refusal.ts';
import { createRouter, type Page } from '../http/router.ts';
import type { TestServer } from './harness.ts';

const noPipeline: Pipeline = {
  serve: () => unreachable('pages have no endpoint'),
  serveUnknown: () => unreachable('pages are not below /api'),
  preflight: () => unreachable('pages are not below /api'),
};

/** Serves pages that the table of a test server does not have, such as those of another folder or public URL. */
export function servePages({ deps }: TestServer, pages: readonly Page[]): App {
  const { settings, log } = deps;
  const { publicUrl } = settings;
  return toApp(createRouter({ publicUrl, isDevelopment: true, log, pipeline: noPipeline, routes: [], pages }));
}
