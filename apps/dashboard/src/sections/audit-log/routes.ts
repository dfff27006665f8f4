import { createRoute } from '@tanstack/react-router';
import { projectRoute } from '../../routes/project.ts';
import { readAuditSearch } from './search.ts';

export const auditLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'audit-log',
  validateSearch: readAuditSearch,
});

/** The time is a part of the address, because the log finds events by time. */
export const auditEventRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'audit-log/$atMillis/$eventId',
});

/** The request that an error page names. */
export const traceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'audit-log/trace/$traceId',
});
