import { Hono } from 'hono';
import type { Connection } from '../../app.ts';
import { type StandIn, standInPath } from './index.ts';
import { frontPage, pageHeaders } from './page.ts';

/** The stand-in provider, for browsers. To be mounted in development only. */
export function standInPages(standIn: StandIn): Hono<{ Bindings: Connection }> {
  const pages = new Hono<{ Bindings: Connection }>();
  const headers = pageHeaders(standIn.issuer);
  pages.get(standInPath, () => new Response(frontPage(), { headers }));
  pages.all(`${standInPath}/*`, context => standIn.fetch(context.req.raw));
  return pages;
}
