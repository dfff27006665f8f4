import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import type { DashboardApp } from '../app.ts';
import type { Config } from '../config.ts';

/** What every route can read. */
export interface RouterContext {
  readonly app: DashboardApp;
  readonly config: Config;
  readonly queryClient: QueryClient;
}

/** The root of all routes. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
});
