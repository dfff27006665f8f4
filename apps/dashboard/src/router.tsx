import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { ContentSkeleton } from './components/page/content-skeleton.tsx';
import { PageFailed } from './components/page/page-failed.tsx';
import { PageNotFound } from './components/page/page-not-found.tsx';
import { handlerRoute } from './routes/handler.ts';
import { ownerRoute } from './routes/owner.ts';
import { projectIndexRoute, projectRoute } from './routes/project.ts';
import { type RouterContext, rootRoute } from './routes/root.tsx';
import { firstOwnerRoute } from './sections/first-owner/routes.ts';
import { impersonationRoute } from './sections/impersonation/routes.ts';
import { invitationRoute } from './sections/invitation/routes.ts';
import { newProjectRoute, projectListRoute } from './sections/projects/routes.ts';
import { sectionRoutes } from './sections/sections.ts';

const routeTree = rootRoute.addChildren([
  handlerRoute.lazy(() => import('./shell/handler-page.tsx').then(page => page.route)),
  firstOwnerRoute.lazy(() => import('./sections/first-owner/first-owner-page.tsx').then(page => page.route)),
  invitationRoute.lazy(() => import('./sections/invitation/invitation-page.tsx').then(page => page.route)),
  ownerRoute
    .lazy(() => import('./shell/owner-layout.tsx').then(layout => layout.route))
    .addChildren([
      projectListRoute.lazy(() => import('./sections/projects/project-list.tsx').then(page => page.route)),
      newProjectRoute.lazy(() => import('./sections/projects/new-project.tsx').then(page => page.route)),
      impersonationRoute.lazy(() => import('./sections/impersonation/impersonation-page.tsx').then(page => page.route)),
      projectRoute
        .lazy(() => import('./shell/project-layout.tsx').then(layout => layout.route))
        .addChildren([projectIndexRoute, ...sectionRoutes]),
    ]),
]);

const slowMs = 150;

/** The router, below the base path that the server wrote into the page. */
export function createDashboardRouter(context: RouterContext, history: RouterHistory) {
  return createRouter({
    routeTree,
    context,
    history,
    basepath: context.config.base.replace(/\/$/, ''),
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingMs: slowMs,
    defaultPendingComponent: ContentSkeleton,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
