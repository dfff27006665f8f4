import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { metricDays } from '../limits.ts';
import { serverUser } from './accounts/users.ts';

const count = z.number().int().min(0);

const days = z
  .array(z.strictObject({ date: z.iso.date(), activity: count }))
  .length(metricDays)
  .meta({ description: 'Today (UTC) and the days before it, oldest first.' });

/** docs/contract/emails-webhooks-metrics.md#metrics */
export const metricsEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/internal/metrics',
    access: 'admin',
    response: z.strictObject({
      total_users: count,
      daily_users: days,
      daily_active_users: days,
      users_by_country: z.record(z.string(), count),
      recently_registered: z.array(serverUser),
      recently_active: z.array(serverUser),
      login_methods: z.array(z.strictObject({ method: z.string(), count })),
    }),
    summary: 'Read the number of users and their activity',
    tag: 'Projects',
    errors: [],
  }),
};
