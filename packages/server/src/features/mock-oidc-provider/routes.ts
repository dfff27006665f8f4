import { Hono } from 'hono';
import type { Connection } from '../../core/connection.ts';
import { type MockProvider, mockProviderPath } from './mock-provider.ts';
import { frontPage, pageHeaders } from './page.ts';

/** The pages of the mock provider. Mounted in development only. */
export function mockProviderPages(mockProvider: MockProvider): Hono<{ Bindings: Connection }> {
  const pages = new Hono<{ Bindings: Connection }>();
  const headers = pageHeaders(mockProvider.issuer);
  pages.get(mockProviderPath, () => new Response(frontPage(), { headers }));
  pages.all(`${mockProviderPath}/*`, context => mockProvider.fetch(context.req.raw));
  return pages;
}
